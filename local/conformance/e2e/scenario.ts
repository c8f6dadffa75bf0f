import { type Expression, readExpression } from './expression.ts'

/** A recorded scenario: files, steps and the expectations after each step. */
export interface Scenario {
  id: string
  intent: string
  files: Record<string, string>
  env: string[]
  images: string[]
  requires: string[]
  special: string[]
  steps: { do: string; expect: string[]; name: string }[]
}

/** One step: a command and its expectations. */
export interface Step {
  title: string
  /** `ComposeCmd`, `DockerCmd` or the name of a helper. */
  command: string
  args: Expression[]
  mayFail: boolean
  /** `NAME=value`, for this step only. */
  env: Expression[]
  expect: Expression[]
}

/** Images that busybox can replace. */
const plainImages = /^(alpine|bash|busybox)(:[\w.]+)?$|^\$\{ID/

/** Returns the steps of a scenario, or why it cannot be run. */
export function readSteps(scenario: Scenario): Step[] | { leftOut: string } {
  const image = scenario.images.find((one) => !plainImages.test(one))
  if (image !== undefined) return { leftOut: `needs the image ${image}` }
  const special = scenario.special.find((one) => one !== 'pre_start')
  if (special !== undefined) return { leftOut: `needs ${special}, which a busybox cannot show` }
  if (scenario.requires.length > 0)
    return { leftOut: `needs an Engine with ${scenario.requires.join(', ')}` }
  const steps: Step[] = []
  for (const step of scenario.steps) {
    const read = readStep(step)
    const lacking = lack(read)
    if (lacking !== undefined) return { leftOut: lacking }
    steps.push(read)
  }
  return steps
}

function readStep({ do: text, expect, name }: Scenario['steps'][number]): Step {
  const step: Step = {
    ...{ title: name, command: '', args: [], mayFail: false, env: [] },
    expect: expect.map(readExpression),
  }
  let call: Expression | undefined = readExpression(text)
  while (call?.kind === 'call') {
    const { name: method, args, of }: Extract<Expression, { kind: 'call' }> = call
    if (of === undefined) Object.assign(step, { command: method, args })
    else if (method === 'MayFail') step.mayFail = true
    else if (method === 'WithEnv') step.env.push(...args)
    else if (method !== 'Within') step.command = `.${method}`
    call = of
  }
  return step
}

/**
 * Returns the index of the verb: after the flags of docker compose itself, one of which takes a
 * value.
 */
export const verbAt = (words: readonly string[]): number =>
  words.findIndex((word, index) => !word.startsWith('-') && words[index - 1] !== '--profile')

/** The docker compose commands that the service supports, with their options. */
const offered: Record<string, readonly string[]> = {
  up: ['-d', '--wait', '--menu=false', '--scale', '--force-recreate', '--remove-orphans'],
  down: [],
  stop: [],
  restart: [],
  logs: [],
  start: [],
  scale: [],
  exec: [],
}

/** Returns why a step cannot be run, or undefined if it can. */
function lack({ command, args }: Step): string | undefined {
  if (command === 'DockerCmd' || command === 'probeVolume') return undefined
  if (command !== 'ComposeCmd') return `${command} is not known here`
  const words = args.map((one) => (one.kind === 'text' ? one.text : '…'))
  const at = verbAt(words)
  const before = words.slice(0, at).filter((word) => word.startsWith('-') && word !== '--profile')
  if (before.length > 0) return `the service has no \`${before[0]}\``
  const verb = words[at] ?? ''
  const options = offered[verb]
  if (!options) return `the service has no \`${verb}\``
  if (verb === 'exec' || verb === 'logs') return undefined
  const rest = words.slice(at + 1)
  const flag = rest.find((word) => word.startsWith('-') && !options.includes(word))
  if (flag) return `the service has no \`${verb} ${flag}\``
  const named = rest.filter((word, index) => !word.startsWith('-') && rest[index - 1] !== '--scale')
  return named.length > 0 && !['scale', 'restart'].includes(verb)
    ? `the service has no \`${verb}\` of single services`
    : undefined
}
