const inLine = /(?:^\s*|[{,]\s*)profiles:\s*\[([^\]]*)\]/gm
const inLines = /^([ \t]*)profiles:[ \t]*(?:#.*)?\n((?:[ \t]*-.*\n?)+)/gm
const name = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

/** Returns the profiles that compose files name, sorted, as they are written. */
export function profilesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(inLine)].flatMap(([, list = '']) => list.split(',')),
    ...[...text.matchAll(inLines)].flatMap(([, , list = '']) =>
      list.split('\n').map((line) => line.replace(/^\s*-|\s#.*$/g, '')),
    ),
  ])
  const plain = found.map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'))
  return [...new Set(plain.filter((one) => name.test(one)))].sort()
}
