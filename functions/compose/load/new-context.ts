import { joinPath } from '../paths.ts'
import type { ComposeInput } from '../project.ts'
import { raise } from '../yaml/problem.ts'
import type { LoadContext } from './load-file.ts'
import type { LoadOptions } from './load-options.ts'
import type { Placeholders } from './placeholders.ts'
import { stackFiles } from './stack-files.ts'

/** Returns the state of a load that ends with the first problem. */
export function newContext(
  input: ComposeInput,
  options: LoadOptions,
  parsed: LoadContext['parsed'],
  hidden?: Placeholders,
): LoadContext {
  const given = stackFiles(input)
  const get = (path: string) => given.texts.get(path) ?? options.read?.(path)
  return {
    files: { ...given, texts: { get } },
    workingDirectory: joinPath('/', input.directory),
    home: undefined,
    variables: new Map(),
    warn: () => {},
    report: raise,
    stopOnProblems: () => {},
    hidden,
    read: new Map(),
    parsed,
    stages: options,
    secretFiles: [],
    externalVolumes: [],
    privileged: [],
    profiles: [],
  }
}
