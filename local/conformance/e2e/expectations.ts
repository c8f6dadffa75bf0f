import { existsSync } from 'node:fs'
import { present } from '../../../adapters/testing/present.ts'
import { engineGet, type Json } from '../running/engine.ts'
import type { Inspected } from '../running/inspect.ts'
import type { Expression } from './expression.ts'
import { inOurWords } from './our-words.ts'
import type { Output } from './output.ts'
import { type Names, textOf } from './values.ts'

/** The output of a step, and the containers before and after it. */
export interface StepObservation {
  output: Output
  now: Inspected
  /** The state before the step. */
  before: Inspected
}

type Check = (args: string[], seen: StepObservation) => boolean | Promise<boolean>

const checks: Record<string, Check> = {
  OutputContains: ([text], { output }) => has(both(output), text),
  OutputNotContains: ([text], { output }) => !has(both(output), text),
  StdoutContains: ([text], { output }) => has(output.stdout, text),
  StderrContains: ([text], { output }) => has(output.stderr, text),
  ExitCode: ([code], { output }) => output.code === Number(code),
  ServiceState: ([service, state], { now }) =>
    of(now, present(service)).some(({ State }) => State.Status === state),
  ServiceHealthy: ([service], { now }) =>
    of(now, present(service)).every(({ State }) => State.Health?.Status === 'healthy'),
  ServiceNotCreated: (services, { now }) => services.every((one) => of(now, one).length === 0),
  ServiceScale: ([service, count], { now }) => of(now, present(service)).length === Number(count),
  ReplicaNumbers: ([service, ...numbers], { now }) =>
    of(now, present(service)).map(numberOf).sort().join() === numbers.sort().join(),
  NotRecreated: (services, { now, before }) =>
    services.every((one) => ids(now, one) === ids(before, one) && ids(now, one) !== ''),
  Recreated: (services, { now, before }) =>
    services.every((one) => ids(now, one) !== ids(before, one) && ids(now, one) !== ''),
  LabelUnchanged: ([service, name], { now, before }) =>
    labelOf(now, service, name) !== undefined &&
    labelOf(now, service, name) === labelOf(before, service, name),
  OneOffState: ([service, state], { now }) =>
    oneOffs(now, present(service)).some(({ State }) => State.Status === state),
  OneOffsRemoved: (services, { now }) => services.every((one) => oneOffs(now, one).length === 0),
  OneOffsUntouched: (services, { now, before }) =>
    services.every((one) => runsOf(now, one) === runsOf(before, one) && runsOf(now, one) !== ''),
  builtOnce: ([, service], { output }) => both(output).split(`${service} Built`).length === 2,
  ImageExists: async ([image]) => (await engineGet(`/images/${image}/json`)) !== undefined,
  FileExists: ([file]) => existsSync(present(file)),
}

/** Returns whether there is a check for an expectation. */
export const isKnown = (expectation: Expression): boolean =>
  expectation.kind === 'call' &&
  (expectation.name in checks ||
    (expectation.name === 'Eventually' && isKnown(present(expectation.args[0]))))

/** Returns whether an expectation is met. */
export async function isMet(
  expectation: Expression,
  names: Names,
  seen: StepObservation,
): Promise<boolean> {
  if (expectation.kind !== 'call') throw new Error('an expectation must be a call')
  const { name, args } = expectation
  if (name === 'Eventually') return isMet(present(args[0]), names, seen)
  return present(checks[name])(
    args.map((one) => textOf(one, names)),
    seen,
  )
}

/** Returns whether an output has a text, in the words of docker compose or in ours. */
const has = (output: string, text: string | undefined): boolean =>
  output.includes(present(text)) || inOurWords(present(text)).some((one) => one.test(output))

const label = (one: Json, name: string): string => one.Config.Labels[`com.docker.compose.${name}`]
const numberOf = (one: Json) => label(one, 'container-number')

const all = ({ containers }: Inspected, service: string): Json[] =>
  Object.values(containers).filter((one) => label(one, 'service') === service)
const of = (things: Inspected, service: string) =>
  all(things, service).filter((one) => label(one, 'oneoff') !== 'True')
const oneOffs = (things: Inspected, service: string) =>
  all(things, service).filter((one) => label(one, 'oneoff') === 'True')

const labelOf = (things: Inspected, service = '', name = ''): string | undefined =>
  of(things, service)[0]?.Config.Labels[name]

const ids = (things: Inspected, service: string) =>
  of(things, service)
    .map(({ Id }) => Id)
    .sort()
    .join()

/** The one-off containers of a service, and when they were started. */
const runsOf = (things: Inspected, service: string) =>
  oneOffs(things, service)
    .map(({ Id, State }) => `${Id} ${State.StartedAt}`)
    .sort()
    .join()

const both = ({ stdout, stderr }: Output) => `${stdout}\n${stderr}`
