// Writes the tables of docs/http_api.md between their marks, from dashboard/openapi.yaml:
//   node http_api_tables.mjs openapi.yaml http_api.md > new_http_api.md
//
// A mark is <!-- table: WHAT --> and the table ends at <!-- end -->. WHAT is one of
//   fields SCHEMA ...          the fields of these schemas that have a description
//   parameters PATH            the parameters of GET
//   body PATH                  the keys of POST's body
//   paths PREFIX EXCEPT ...    the parameters and the response of each path below a prefix
import { readFileSync } from "node:fs";
import { load } from "js-yaml";

const [document, page] = process.argv.slice(2, 4).map((name) => readFileSync(name, "utf8"));
const api = load(document);

/** The object that a {$ref} names, and the last part of its name. */
function resolve(object) {
  const parts = object.$ref?.split("/").slice(1) ?? [];
  return {
    value: parts.length > 0 ? parts.reduce((at, part) => at[part], api) : object,
    name: parts.at(-1),
  };
}

const cell = (text) => text.replaceAll("|", "\\|");
const count = (number) => number.toLocaleString("en-US");
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map(cell).join(" | ")} |`)
    .join("\n");
const sentence = (text) => (/[.?]$/.test(text) || text === "" ? text : `${text}.`);

/**
 * "1,000 by default, at most 5,000": what a schema says of a number, as long as it limits anything.
 */
function limits({ type, default: preset, maximum }) {
  if (type !== "integer" || preset === undefined) return "";
  const most = maximum < 1e6 ? `, at most ${count(maximum)}` : "";
  return `${count(preset)} by default${most}`;
}

const meaning = ({ description = "", schema = {} }) =>
  [sentence(description), sentence(limits(schema))].filter(Boolean).join(" ").replace(/\.$/, "");

const described = (properties) =>
  Object.entries(properties)
    .filter(([, { description }]) => description)
    .map(([name, { description }]) => [`\`${name}\``, description]);

/**
 * The form of a value: its keys, without the types of what is not an object or a list. A schema met
 * again is {...}.
 */
function form(schema, met = new Set()) {
  const { value, name } = resolve(schema);
  const { anyOf, oneOf, properties, items } = value;
  if (anyOf ?? oneOf) {
    const first = form((anyOf ?? oneOf)[0], met);
    const none = (anyOf ?? oneOf).some(({ type }) => type === "null");
    return first && none ? `${first} or null` : first;
  }
  if (items) return `[${form(items, met)}]`;
  if (!properties) return "";
  if (name && met.has(name)) return "{...}";
  if (name) met.add(name);
  const keys = Object.entries(properties).map(([key, one]) => {
    const inner = form(one, met);
    return inner === "" ? `"${key}"` : `"${key}": ${inner}`;
  });
  return `{${keys.join(", ")}}`;
}

function response({ content }) {
  const [type, { schema, "x-header": header }] = Object.entries(content)[0];
  if (type === "application/json") return `\`${form(schema)}\``;
  return header ? `In the form of series, with the header \`${form(header)}\`` : `\`${type}\``;
}

/** "limit=200": a parameter as it is given, with its value by default. */
const given = ({ name, schema }) =>
  `${name}=${schema.default ?? ""}${schema.enum ? ` (${schema.enum.join(", ")})` : ""}${schema.type === "array" ? " (several)" : ""}`;

function pathRow(path) {
  const { get } = api.paths[`/api/v1/${path}`];
  const own = get.parameters
    .map((one) => resolve(one).value)
    .filter(({ name }) => !/^(profile|rank)$/.test(name));
  const says = get.description ? `. ${get.description}` : "";
  const called = own.map((one) => `\`${given(one)}\``).join(", ");
  return [`\`${path}\``, called, response(get.responses["200"]) + says];
}

const makers = {
  fields: (...schemas) =>
    table(
      ["field", "meaning"],
      schemas.flatMap((name) => described(api.components.schemas[name].properties)),
    ),
  parameters: (path) =>
    table(
      ["parameter", "meaning"],
      api.paths[`/api/v1/${path}`].get.parameters.map((one) => {
        const { value } = resolve(one);
        return [
          `\`${value.name}\`${value.schema.type === "array" ? " (several)" : ""}`,
          meaning(value),
        ];
      }),
    ),
  body: (path) =>
    table(
      ["key", "meaning"],
      described(
        api.paths[`/api/v1/${path}`].post.requestBody.content["application/json"].schema.properties,
      ),
    ),
  paths: (prefix, ...except) =>
    table(
      ["path", "parameters", "response"],
      Object.keys(api.paths)
        .map((path) => path.replace("/api/v1/", ""))
        .filter((path) => path.startsWith(`${prefix}/`) && !except.includes(path))
        .map(pathRow),
    ),
};

const marked = /(<!-- table: (.*?) -->\n)[\s\S]*?(<!-- end -->)/g;
process.stdout.write(
  page.replace(marked, (_, begin, what, end) => {
    const [kind, ...names] = what.split(" ");
    return `${begin}\n${makers[kind](...names)}\n\n${end}`;
  }),
);
