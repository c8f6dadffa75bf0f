import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeProject } from '../running/engine.ts'
import { type Inspected, inspectProject } from '../running/inspect.ts'
import { ourStack } from '../running/our-up.ts'
import { composeCommand, docker, type OurStack, type Output } from './commands.ts'
import { isKnown, isMet } from './expectations.ts'
import { readExpression } from './expression.ts'
import { readSteps, type Scenario, type Step } from './scenario.ts'
import { type Names, textOf } from './values.ts'

/** The result of a scenario. */
export type Verdict = { passed: true } | { failed: string } | { leftOut: string }

/** How long to wait for an expectation to be met. Milliseconds. */
const patience = 15_000

/**
 * Runs the steps of a scenario through the service's endpoints on the Engine of this machine.
 * Removes everything it created.
 */
export async function runScenario(scenario: Scenario): Promise<Verdict> {
  const steps = readSteps(scenario)
  if ('leftOut' in steps) return steps
  const unknown = steps.flatMap(({ expect }) => expect).find((one) => !isKnown(one))
  if (unknown?.kind === 'call') return { leftOut: `${unknown.name} cannot be seen here` }
  const project = `e2e${process.pid}-${scenario.id.replace(/^.*\//, '').toLowerCase()}`
  const parent = mkdtempSync(join(tmpdir(), 'container-stacks-e2e-'))
  const directory = join(parent, project)
  writeFiles(scenario, directory)
  const surroundings = await surround(scenario, project)
  const names = { project, directory, variable: surroundings.variable }
  const inPlace = steps.some(({ args }) =>
    args.some((one) => one.kind === 'text' && one.text === 'start'),
  )
  const stack = { ...(await ourStack(project, directory)), inPlace }
  try {
    return await take(steps, scenario, stack, names)
  } finally {
    await stack.close()
    await removeProject(project)
    await surroundings.remove()
    rmSync(parent, { recursive: true, force: true })
  }
}

/** Writes the files of a scenario. Its images become busybox. */
function writeFiles({ files, images }: Scenario, directory: string): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    const named = images.reduce(
      (rest, image) => rest.replaceAll(`image: ${image}\n`, 'image: busybox:latest\n'),
      text,
    )
    writeFileSync(file, /\.ya?ml$/.test(path) ? named : text)
  }
}

/**
 * Creates the environment that a scenario expects: a container outside the project, and its
 * variables.
 */
async function surround({ env }: Scenario, project: string) {
  const external = `${project}-external`
  const wanted = env.some((one) => one.includes('external'))
  const made = ['--name', external, '--ipc', 'shareable', 'busybox:latest', 'sleep', '3600']
  const cid = wanted ? (await docker(['run', '-d', ...made])).stdout.trim() : ''
  const image = await docker(['image', 'inspect', 'busybox:latest', '--format', '{{.Id}}'])
  const own: Record<string, string> = { external, cid, id: image.stdout.trim() }
  return {
    variable: (name: string) => own[name] ?? `${project}-${name}`,
    async remove() {
      if (wanted) await docker(['rm', '-f', external])
      const { stdout } = await docker(['volume', 'ls', '-q', '--filter', `name=${project}-`])
      const volumes = stdout.split('\n').filter((name) => name !== '')
      if (volumes.length > 0) await docker(['volume', 'rm', ...volumes])
    },
  }
}

async function take(
  steps: Step[],
  scenario: Scenario,
  stack: OurStack,
  names: Names,
): Promise<Verdict> {
  const variables = scenario.env.map((one) => textOf(readExpression(one), names))
  let stopped = false
  for (const step of steps) {
    const before = await inspectProject(names.project)
    const words = step.args.map((one) => textOf(one, names))
    const output = await takeStep(step, words, { stack, names, variables })
    if (/Pool overlaps/.test(output.stderr)) return { leftOut: 'its addresses are taken here' }
    if (step.command === 'ComposeCmd') stopped = words.includes('stop') && !stack.inPlace
    const failure = await firstUnmet(step, names, { output, before, stopped })
    if (failure !== undefined) return { failed: `${step.title}: ${failure}` }
  }
  return { passed: true }
}

async function takeStep(
  step: Step,
  words: string[],
  { stack, names, variables }: { stack: OurStack; names: Names; variables: string[] },
): Promise<Output> {
  if (step.command === 'DockerCmd') return docker(words)
  if (step.command === 'probeVolume') {
    const { volumes } = await inspectProject(names.project)
    const [volume = ''] = Object.keys(volumes)
    return docker(['run', '--rm', '-v', `${volume}:/mnt`, 'busybox:latest', ...words.slice(1)])
  }
  const own = step.env.map((one) => textOf(one, names))
  return composeCommand(stack, words, [...variables, ...own])
}

/**
 * Returns the first expectation that is not met in time. A command that must succeed counts as one.
 */
async function firstUnmet(
  { expect, mayFail }: Step,
  names: Names,
  seen: { output: Output; before: Inspected; stopped: boolean },
): Promise<string | undefined> {
  const { output } = seen
  if (!mayFail && output.code !== 0) return `it ends with ${output.code}: ${output.stderr.trim()}`
  const end = Date.now() + patience
  for (;;) {
    const now = await inspectProject(names.project)
    const unmet = expect.find((one) => !isMet(one, names, { ...seen, now }))
    if (unmet === undefined) return undefined
    const said = `${output.stdout}${output.stderr}`.trim().slice(0, 300)
    if (Date.now() > end) return `${describe(unmet, names)} is not so; ${said}`
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function describe(expectation: Parameters<typeof isMet>[0], names: Names): string {
  if (expectation.kind !== 'call') return '?'
  const shown = expectation.args.map((one) =>
    one.kind === 'call' && isKnown(one) ? describe(one, names) : textOf(one, names),
  )
  return `${expectation.name}(${shown.join(', ')})`
}
