import { posix } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { type Any, eachNode, type File } from './program.ts'

/** A walk through the functions that are given a value of a type, or something that holds it. */
export interface Walk {
  /** The files in the order of calls, without a call within the same file. */
  stays: string[]
  /** The different files. */
  rooms: string[]
  /** How often the walk comes to a file that it has left. */
  returns: number
}

interface Callable {
  path: string
  node: Any
}

/**
 * Follows the calls of a function, in the order in which the code is written, into functions whose
 * parameters say that they take the type or one that holds it: an interface with a property of it.
 * Calls of ports end there: which function runs is known only when it runs. A function that was
 * passed before counts as a stay, and is not followed again.
 */
export function walkFrom(files: File[], path: string, name: string, type: string): Walk {
  const functions = callables(files)
  const holders = new RegExp(`\\b(?:${[...holdersOf(type, files)].join('|')})\\b`)
  const stays: string[] = []
  const passed = new Set<Any>()
  const start = functions.get(`${path} ${name}`)
  if (start) enter(start)
  const rooms = [...new Set(stays)]
  return { stays, rooms, returns: stays.length - rooms.length }

  function enter({ path: file, node }: Callable) {
    if (stays.at(-1) !== file) stays.push(file)
    if (passed.has(node)) return
    passed.add(node)
    eachNode(node.body, ({ kind, expression }) => {
      if (kind !== SyntaxKind.CallExpression || expression.kind !== SyntaxKind.Identifier) return
      const target = functions.get(`${file} ${expression.text}`)
      if (target && takes(target.node)) enter(target)
    })
  }

  function takes({ parameters }: Any): boolean {
    return parameters.some((one: Any) => one.type && holders.test(one.type.getText()))
  }
}

/**
 * Returns a type, and the types made of it: aliases of it, and interfaces with a property of it or
 * with it as a base.
 */
function holdersOf(type: string, files: File[]): Set<string> {
  const types = files.flatMap(({ source }) =>
    (source.statements as Any[]).filter(({ kind }) => typeKinds.includes(kind)),
  )
  const holders = new Set([type])
  for (let before = 0; before < holders.size; ) {
    before = holders.size
    const holds = new RegExp(`\\b(?:${[...holders].join('|')})\\b`)
    for (const one of types) if (holds.test(partsOf(one))) holders.add(one.name.text)
  }
  return holders
}

const typeKinds = [SyntaxKind.InterfaceDeclaration, SyntaxKind.TypeAliasDeclaration]

/** Returns the text of what a type is made of, without the types of its methods. */
function partsOf({ type, members = [], heritageClauses = [] }: Any): string {
  const properties = members.filter((one: Any) => one.kind === SyntaxKind.PropertySignature)
  const parts: Any[] = [...properties, ...heritageClauses, ...(type ? [type] : [])]
  return parts.map((one) => (one.type ?? one).getText()).join('\n')
}

/** Returns the functions that each file declares or imports, by the file and their name there. */
function callables(files: File[]): Map<string, Callable> {
  const all = new Map<string, Callable>()
  for (const { path, source } of files) {
    for (const [name, node] of declared(source)) all.set(`${path} ${name}`, { path, node })
  }
  for (const { path, source } of files) {
    for (const { from, name, as } of imported(source)) {
      const found = all.get(`${posix.join(posix.dirname(path), from)} ${name}`)
      if (found) all.set(`${path} ${as}`, found)
    }
  }
  return all
}

const functionKinds = [SyntaxKind.ArrowFunction, SyntaxKind.FunctionExpression]

function declared(source: Any): [string, Any][] {
  return (source.statements as Any[]).flatMap((one): [string, Any][] => {
    if (one.kind === SyntaxKind.FunctionDeclaration && one.body) return [[one.name.text, one]]
    const declarations: Any[] = one.declarationList?.declarations ?? []
    return declarations
      .filter(({ initializer }) => initializer && functionKinds.includes(initializer.kind))
      .map(({ name, initializer }) => [name.text, initializer])
  })
}

const imported = (source: Any) =>
  (source.statements as Any[])
    .filter(({ kind }) => kind === SyntaxKind.ImportDeclaration)
    .flatMap(({ moduleSpecifier, importClause }) =>
      (importClause?.namedBindings?.elements ?? []).map((one: Any) => ({
        from: moduleSpecifier.text as string,
        name: (one.propertyName ?? one.name).text as string,
        as: one.name.text as string,
      })),
    )
