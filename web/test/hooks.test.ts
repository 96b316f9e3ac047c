// A rule that the linter lacks: a component or hook must not write to a ref while it renders. A render may be repeated or
// discarded, so such a write belongs in an effect or a listener.
import ts from "typescript";
import { expect, test } from "vitest";

const sources = import.meta.glob("../src/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

const writes = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.PlusEqualsToken,
]);

/** Whether it is `ref.current` or a part of it. */
function isRef(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node)) return false;
  return node.name.text === "current" || isRef(node.expression);
}

/** The lines where a component or a hook itself, not a function in it, writes to a ref. */
function writesToRefs(text: string): number[] {
  const file = ts.createSourceFile("x.tsx", text, ts.ScriptTarget.ES2022, true);
  const found: number[] = [];
  const visit = (node: ts.Node, renders: boolean): void => {
    if (ts.isFunctionDeclaration(node)) {
      const name = node.name?.text ?? "";
      ts.forEachChild(node, (child) => visit(child, /^([A-Z]|use[A-Z])/.test(name)));
      return;
    }
    const inner = ts.isFunctionLike(node) ? false : renders;
    const wrote = ts.isBinaryExpression(node) && writes.has(node.operatorToken.kind);
    if (inner && wrote && isRef(node.left))
      found.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, false);
  return found;
}

test("a write while rendering is seen, one in an effect or a listener is not", () => {
  const component = `function Card() {
    seen.current ||= visible;
    asked.current.key = "";
    useEffect(() => { seen.current = true; });
    return <a onClick={() => { seen.current = false; }} />;
  }`;
  expect(writesToRefs(component)).toEqual([2, 3]);
});

test("nothing writes to a ref while it renders", () => {
  const found = Object.entries(sources).map(([path, text]) => [path, writesToRefs(text as string)]);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(([, lines]) => lines!.length > 0)).toEqual([]);
});
