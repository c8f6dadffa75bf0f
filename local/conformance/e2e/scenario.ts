import { differences } from './differences.ts'
import { type Expression, readExpression } from './expression.ts'
import { missingOffer } from './offered.ts'

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
  /** What is typed at a question of the command. */
  typed?: string
}

/** Returns the steps of a scenario, or why it cannot be run. */
export function readSteps(scenario: Scenario): Step[] | { leftOut: string } {
  const difference = differences[scenario.id]
  if (difference !== undefined) return { leftOut: `differs: ${difference}` }
  if (scenario.requires.length > 0)
    return { leftOut: `needs an Engine with ${scenario.requires.join(', ')}` }
  if (scenario.special.includes('models')) return { leftOut: 'needs models' }
  if (Object.values(scenario.files).some((text) => /RUN <</.test(text)))
    return { leftOut: 'needs a newer BuildKit' }
  const steps: Step[] = []
  for (const step of scenario.steps) {
    const read = readStep(step)
    const reason = unsupportedReason(read)
    if (reason !== undefined) return { leftOut: reason }
    steps.push(read)
  }
  return steps
}

function readStep({ do: text, expect, name }: Scenario['steps'][number]): Step {
  const step: Step = {
    title: name,
    command: '',
    args: [],
    mayFail: false,
    env: [],
    expect: expect.map(readExpression),
  }
  let call: Expression | undefined = readExpression(text)
  while (call?.kind === 'call') {
    const { name: method, args, of }: Extract<Expression, { kind: 'call' }> = call
    if (of === undefined) Object.assign(step, { command: method, args })
    else if (method === 'MayFail') step.mayFail = true
    else if (method === 'WithEnv') step.env.push(...args)
    else if (method === 'WithStdin' && args[0]?.kind === 'text') step.typed = args[0].text
    else if (method !== 'Within') step.command = `.${method}`
    call = of
  }
  return step
}

/** Returns why a step cannot be run, or undefined if it can. */
function unsupportedReason({ command, args }: Step): string | undefined {
  if (command === 'DockerCmd' || command === 'probeVolume') return undefined
  return command === 'ComposeCmd' ? missingOffer(args) : `${command} is not known here`
}
