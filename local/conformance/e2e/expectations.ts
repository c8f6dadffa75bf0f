import type { Json } from '../running/engine.ts'
import type { Inspected } from '../running/inspect.ts'
import type { Output } from './commands.ts'
import type { Expression } from './expression.ts'
import { type Names, textOf } from './values.ts'

/** What a step's expectations are checked against. */
export interface Seen {
  output: Output
  now: Inspected
  /** The state before the step. */
  before: Inspected
  /**
   * True once the stack was stopped. A stop removes the containers, so a missing container counts
   * as exited.
   */
  stopped: boolean
}

type Check = (args: string[], seen: Seen) => boolean

const checks: Record<string, Check> = {
  OutputContains: ([text], { output }) => both(output).includes(text!),
  OutputNotContains: ([text], { output }) => !both(output).includes(text!),
  StdoutContains: ([text], { output }) => output.stdout.includes(text!),
  StderrContains: ([text], { output }) => output.stderr.includes(text!),
  ExitCode: ([code], { output }) => output.code === Number(code),
  ServiceState: ([service, state], seen) =>
    state === 'exited' && seen.stopped
      ? of(seen.now, service!).length === 0
      : of(seen.now, service!).some(({ State }) => State.Status === state),
  ServiceHealthy: ([service], { now }) =>
    of(now, service!).every(({ State }) => State.Health?.Status === 'healthy'),
  ServiceNotCreated: (services, { now }) => services.every((one) => of(now, one).length === 0),
  ServiceScale: ([service, count], { now }) => of(now, service!).length === Number(count),
  ReplicaNumbers: ([service, ...numbers], { now }) =>
    of(now, service!).map(numberOf).sort().join() === numbers.sort().join(),
  NotRecreated: (services, { now, before }) =>
    services.every((one) => ids(now, one) === ids(before, one) && ids(now, one) !== ''),
  Recreated: (services, { now, before }) =>
    services.every((one) => ids(now, one) !== ids(before, one) && ids(now, one) !== ''),
}

/** Returns whether an expectation can be checked here. */
export const isKnown = (expectation: Expression): boolean =>
  expectation.kind === 'call' &&
  (expectation.name in checks ||
    (expectation.name === 'Eventually' && isKnown(expectation.args[0]!)))

/** Returns whether an expectation is met. */
export function isMet(expectation: Expression, names: Names, seen: Seen): boolean {
  if (expectation.kind !== 'call') throw new Error('an expectation is a call')
  const { name, args } = expectation
  if (name === 'Eventually') return isMet(args[0]!, names, seen)
  return checks[name]!(
    args.map((one) => textOf(one, names)),
    seen,
  )
}

const label = (one: Json, name: string): string => one.Config.Labels[`com.docker.compose.${name}`]
const numberOf = (one: Json) => label(one, 'container-number')

const of = ({ containers }: Inspected, service: string): Json[] =>
  Object.values(containers).filter((one) => label(one, 'service') === service)

const ids = (things: Inspected, service: string) =>
  of(things, service)
    .map(({ Id }) => Id)
    .sort()
    .join()

const both = ({ stdout, stderr }: Output) => `${stdout}\n${stderr}`
