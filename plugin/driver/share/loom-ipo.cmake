# Read by CMake after its compiler modules: INTERPROCEDURAL_OPTIMIZATION is full LTO.
foreach(language C CXX)
  set(CMAKE_${language}_COMPILE_OPTIONS_IPO -flto=full)
  set(CMAKE_${language}_LINK_OPTIONS_IPO -flto=full)
endforeach()
