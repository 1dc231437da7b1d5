# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Build rules shared by the rooms.

set(LOOM_WARNINGS -Wall -Wextra -Werror -Wno-unused-parameter -Wno-deprecated-declarations)
set(LOOM_LLVM_FLAGS -fno-exceptions -fno-rtti ${LOOM_WARNINGS})

# One precompiled header for every translation unit that sees MLIR.
function(loom_declare_pch)
  file(WRITE ${CMAKE_BINARY_DIR}/loom_pch.cpp "// precompiled header carrier\n")
  add_library(loom_pch OBJECT ${CMAKE_BINARY_DIR}/loom_pch.cpp)
  target_compile_options(loom_pch PRIVATE ${LOOM_LLVM_FLAGS} -Xclang -fno-pch-timestamp)
  target_include_directories(loom_pch SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_precompile_headers(loom_pch PRIVATE
    <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h>
    <mlir/IR/OpImplementation.h> <mlir/Interfaces/SideEffectInterfaces.h>
    <llvm/ADT/DenseMap.h> <llvm/ADT/StringExtras.h> <llvm/ADT/TypeSwitch.h>)
endfunction()

# loom_room(NAME [NO_PCH] [DEPENDS tablegen targets...]): every .cpp of the
# current directory as one object library, linked into the plugin and the tools.
function(loom_room name)
  cmake_parse_arguments(ARG "NO_PCH" "" "DEPENDS;SOURCES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  if(NOT ARG_SOURCES) # an empty room
    set(ARG_SOURCES ${CMAKE_BINARY_DIR}/loom_pch.cpp)
  endif()
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${LOOM_LLVM_FLAGS} -Xclang -fno-pch-timestamp)
  target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  if(NOT ARG_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM loom_pch)
  endif()
  add_dependencies(${name} loom_tablegen loom_image_schema ${ARG_DEPENDS})
endfunction()

# loom_tblgen(out.inc file.td args...): one mlir-tblgen output beside the header.
macro(loom_tblgen out td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN} -I ${CMAKE_SOURCE_DIR}/include -I ${MLIR_INCLUDE_DIRS})
endmacro()
