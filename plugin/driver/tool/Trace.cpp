// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Trace.h"
#include "Dot.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace loom::tool;

Trace::Trace(const rt::LoadedRegion &region, size_t mostEvents)
    : region(region), most(mostEvents), latest(region.actors.size, 0) {}

void Trace::onFire(void *data, uint32_t actor, uint64_t cycle) {
  static_cast<Trace *>(data)->fire(actor, cycle);
}

void Trace::fire(uint32_t actor, uint64_t cycle) {
  if (size_t number = latest[actor]; number && list[number - 1].end == cycle) {
    ++list[number - 1].end;
    return;
  }
  // Later firings of a run that is cut short would look like a pause.
  if (list.size() >= most) {
    latest[actor] = 0;
    ++left;
    return;
  }
  list.push_back({cycle, cycle + 1, actor});
  latest[actor] = list.size();
}

void Trace::write(raw_ostream &out, StringRef title) const {
  json::OStream json(out);
  json.object([&] {
    json.attribute("displayTimeUnit", "ms");
    json.attributeObject("otherData", [&] {
      json.attribute("title", title);
      json.attribute("unit", "a microsecond is a cycle");
      json.attribute("firings left out", left);
    });
    json.attributeArray("traceEvents", [&] {
      for (size_t a = 0; a < region.actors.size; ++a) {
        const rt::ActorInfo &actor = region.actors[a];
        std::string name = actorLabel(actor);
        if (actor.line)
          name += ", line " + std::to_string(actor.line);
        auto meta = [&](StringRef kind, StringRef key, json::Value value) {
          json.object([&] {
            json.attribute("ph", "M");
            json.attribute("name", kind);
            json.attribute("pid", 1);
            json.attribute("tid", int64_t(a));
            json.attributeObject("args", [&] { json.attribute(key, value); });
          });
        };
        meta("thread_name", "name", std::to_string(a) + " " + name);
        meta("thread_sort_index", "sort_index", int64_t(a));
      }
      for (const Event &event : list)
        json.object([&] {
          json.attribute("ph", "X");
          json.attribute("name", actorLabel(region.actors[event.actor]));
          json.attribute("pid", 1);
          json.attribute("tid", int64_t(event.actor));
          json.attribute("ts", event.begin);
          json.attribute("dur", event.end - event.begin);
        });
    });
  });
  out << "\n";
}
