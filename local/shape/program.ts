import { resolve } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { API, type Checker } from 'typescript/unstable/sync'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { isTest } from '../rules/source.ts'

/** A node of the syntax tree, whose fields depend on its kind. */
export type Any = Node & Record<string, Json>

/** A parsed file, its path from the top. */
export interface File {
  path: string
  source: Any
}

export const top = resolve(import.meta.dirname, '../..')

/** Calls `work` with the files of functions/ that are no tests, and the type checker. */
export function withProgram<T>(work: (files: File[], checker: Checker) => T): T {
  const api = new API({ cwd: top })
  try {
    const snapshot = api.updateSnapshot({ openProject: resolve(top, 'tsconfig.json') })
    const { program, checker } = present(snapshot.getProjects()[0])
    const files = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${top}/functions/`) && !isTest(name))
      .map((name) => ({
        path: name.slice(top.length + 1),
        source: program.getSourceFile(name) as Any,
      }))
    return work(files, checker)
  } finally {
    api.close()
  }
}

/** Calls `seen` for each node of a tree, parents first. */
export function eachNode(tree: Any, seen: (node: Any) => void) {
  seen(tree)
  tree.forEachChild((child: Node) => eachNode(child as Any, seen))
}
