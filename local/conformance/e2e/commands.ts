import { createOnce } from './create.ts'
import { environmentOf, saveEnvironment } from './environment.ts'
import { build, pull } from './image-verbs.ts'
import { down, restart, rm, scale, verbOf } from './lifecycle-verbs.ts'
import { failedWith, type Output } from './output.ts'
import { publish } from './publish-verb.ts'
import { config, exportFiles, images, list, logs } from './read-verbs.ts'
import { commit, exec, run, wait } from './run-verbs.ts'
import type { OurStack } from './stack.ts'
import { create, up } from './up-verb.ts'
import { type ComposeWords, parseWords } from './words.ts'

type Verb = (
  stack: OurStack,
  words: ComposeWords,
  environment: ReturnType<typeof environmentOf>,
) => Promise<Output>

const verbs: Record<string, Verb> = {
  up,
  create,
  down,
  rm,
  scale,
  restart,
  build,
  pull,
  run,
  exec,
  wait,
  commit,
  logs,
  images,
  config,
  publish,
  start: verbOf('start'),
  stop: verbOf('stop'),
  pause: verbOf('pause'),
  unpause: verbOf('unpause'),
  ls: list,
  export: exportFiles,
}

/** Does what a docker compose command does, through the service's endpoints and its client. */
export async function composeCommand(
  stack: OurStack,
  line: readonly string[],
  variables: readonly string[],
  typed?: string,
): Promise<Output> {
  const words = { ...parseWords(line), ...(typed !== undefined && { typed }) }
  const { envFile, verb } = words
  const environment = environmentOf(stack.directory, envFile, variables)
  const created = await createOnce(stack, environment)
  if (created.code !== 0) return created
  await saveEnvironment(stack, environment)
  const does = verbs[verb]
  return does ? does(stack, words, environment) : failedWith(`there is no verb ${verb}`)
}
