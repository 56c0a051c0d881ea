#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "convoy/report/render/renderers.h"

namespace convoy::report {
namespace {

using Json = nlohmann::ordered_json;

// A number if the whole cell is one; null for an empty cell or "-".
Json json_cell(const std::string& cell) {
  if (cell.empty() || cell == "-") return nullptr;
  const char* const end = cell.data() + cell.size();
  const auto is_all = [&](const std::from_chars_result& read) { return read.ec == std::errc() && read.ptr == end; };
  std::int64_t whole = 0;
  if (is_all(std::from_chars(cell.data(), end, whole))) return whole;
  double number = 0;
  if (is_all(std::from_chars(cell.data(), end, number)) && std::isfinite(number)) return number;
  return cell;
}

Json json_rows(const Table& table) {
  Json rows = Json::array();
  for (const Row& row : table.rows) {
    Json& object = rows.emplace_back(Json::object());
    for (std::size_t i = 0; i < row.cells.size(); ++i) object[table.header[i]] = json_cell(row.cells[i]);
  }
  return rows;
}

// Programs get tables and figures; paragraphs and other words are left out.
struct JsonBlocks {
  Json tables = Json::object();
  Json figures = Json::object();

  void operator()(const Table& table) { tables[table.id] = {{"caption", table.caption}, {"rows", json_rows(table)}}; }
  void operator()(const Figure& figure) {
    figures[figure.id] = {{"title", figure.title}, {"definition", figure.definition}, {"rows", json_rows(figure.data)}};
  }
  void operator()(const auto& /*words*/) {}
};

}  // namespace

std::string to_json_text(const Document& document) {
  check_document(document);
  JsonBlocks blocks;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) std::visit(blocks, block);
  }
  const Json json = {{"title", document.title},
                     {"subtitle", document.subtitle},
                     {"tables", std::move(blocks.tables)},
                     {"figures", std::move(blocks.figures)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convoy::report
