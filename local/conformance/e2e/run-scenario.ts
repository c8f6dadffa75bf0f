import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeProject } from '../running/engine.ts'
import { type Inspected, inspectProject } from '../running/inspect.ts'
import { composeCommand } from './commands.ts'
import { docker } from './docker.ts'
import { isKnown, isMet } from './expectations.ts'
import { readExpression } from './expression.ts'
import {
  buildStandIn,
  registryFor,
  removeImages,
  webServer,
  withStandIns,
  wordWithStandIn,
} from './images.ts'
import { type Output, silent } from './output.ts'
import { readSteps, type Scenario, type Step } from './scenario.ts'
import { type OurStack, ourStack } from './stack.ts'
import { type Names, textOf } from './values.ts'

/** The result of a scenario. */
export type Verdict = { passed: true } | { failed: string } | { leftOut: string }

/** How long to wait for an expectation to be met. Milliseconds. */
const timeout = 15_000

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
  const directory = join(parent, 'sent')
  const registry = await registryFor(scenario)
  const server = webServer(project, registry)
  writeFiles(scenario, directory, server)
  await buildStandIn(scenario, server, registry)
  const surroundings = await surround(scenario, project, directory)
  const names = { project, directory, server, variable: surroundings.variable }
  const stack = await ourStack(project, directory, join(parent, project))
  try {
    return await take(steps, scenario, stack, names)
  } finally {
    await stack.close()
    await removeProject(project)
    await removeImages(project)
    await surroundings.remove()
    await registry?.close()
    rmSync(parent, { recursive: true, force: true })
  }
}

/** Writes the files of a scenario, with stand-ins for images that cannot be pulled here. */
function writeFiles({ files }: Scenario, directory: string, server: string): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, withStandIns(text, server))
  }
}

/**
 * Creates the environment that a scenario expects: a container outside the project, and its
 * variables.
 */
async function surround({ env }: Scenario, project: string, directory: string) {
  const external = `${project}-external`
  const wanted = env.some((one) => one.includes('external'))
  const made = ['--name', external, '--ipc', 'shareable', 'busybox:latest', 'sleep', '3600']
  const cid = wanted ? (await docker(['run', '-d', ...made])).stdout.trim() : ''
  const image = await docker(['image', 'inspect', 'busybox:latest', '--format', '{{.Id}}'])
  const own: Record<string, string> = {
    external,
    cid,
    id: image.stdout.trim(),
    dir: directory,
    ...Object.fromEntries(['out', 'r1', 'r2'].map((name) => [name, join(directory, name)])),
  }
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
  for (const step of steps) {
    const before = await inspectProject(names.project)
    const words = step.args.map((one) => textOf(one, names))
    const output = await takeStep(step, words, { stack, names, variables })
    const obstacle = output.code === 0 ? undefined : obstacleIn(output)
    if (obstacle !== undefined) return { leftOut: obstacle }
    const failure = await firstUnmet(step, names, { output, before })
    if (failure !== undefined) return { failed: `${step.title}: ${failure}` }
  }
  return { passed: true }
}

/** Returns what keeps a step from being run here, if its output says so. */
function obstacleIn({ stderr }: Output): string | undefined {
  if (/subnet overlaps with that of another/.test(stderr)) return 'its addresses are in use here'
  if (/not supported by the Engine's own builder/.test(stderr)) return 'needs BuildKit'
  if (/the registry cannot be reached/.test(stderr)) return 'its registry cannot be reached here'
  return (
    /needs an Engine with API [\d.]+/.exec(stderr)?.[0] ??
    /^the service has no \w+/.exec(stderr)?.[0]
  )
}

async function takeStep(
  step: Step,
  words: string[],
  { stack, names, variables }: { stack: OurStack; names: Names; variables: string[] },
): Promise<Output> {
  if (step.command === 'DockerCmd') return dockerCommand(words)
  if (step.command === 'probeVolume') {
    const { volumes } = await inspectProject(names.project)
    const [volume = ''] = Object.keys(volumes)
    return docker(['run', '--rm', '-v', `${volume}:/mnt`, 'busybox:latest', ...words.slice(1)])
  }
  const own = step.env.map((one) => textOf(one, names))
  const { code, stdout, stderr } = await composeCommand(
    stack,
    words,
    [...variables, ...own],
    step.typed,
  )
  const shown = (text: string) => text.replaceAll(names.server, 'nginx')
  return { code, stdout: shown(stdout), stderr: shown(stderr) }
}

/** Runs a `docker` command with stand-ins, which are never pulled. */
async function dockerCommand(words: readonly string[]): Promise<Output> {
  const known = words.map(wordWithStandIn)
  return known[0] === 'pull' && known.join() !== words.join() ? silent : docker(known)
}

/**
 * Returns the first expectation that is not met in time. A command that must succeed counts as one.
 */
async function firstUnmet(
  { expect, mayFail }: Step,
  names: Names,
  seen: { output: Output; before: Inspected },
): Promise<string | undefined> {
  const { output } = seen
  if (!mayFail && output.code !== 0) return `it ends with ${output.code}: ${output.stderr.trim()}`
  const end = Date.now() + timeout
  for (;;) {
    const now = await inspectProject(names.project)
    let unmet: Step['expect'][number] | undefined
    for (const one of expect) {
      if (unmet === undefined && !(await isMet(one, names, { ...seen, now }))) unmet = one
    }
    if (unmet === undefined) return undefined
    const said = `${output.stdout}${output.stderr}`.trim().slice(0, 300)
    if (Date.now() > end) return `${describe(unmet, names)} does not hold; ${said}`
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
