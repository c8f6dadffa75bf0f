import { execFile } from 'node:child_process'
import startContainer from '../../../functions/containers/start.ts'
import stopContainer from '../../../functions/containers/stop.ts'
import deploy from '../../../functions/stacks/deploy.ts'
import logs from '../../../functions/stacks/logs.ts'
import restart from '../../../functions/stacks/restart.ts'
import status from '../../../functions/stacks/status.ts'
import stop from '../../../functions/stacks/stop.ts'
import update from '../../../functions/stacks/update.ts'
import { call } from '../../harness/call.ts'
import { until } from '../../harness/service.ts'
import type { OurStack as AnyStack } from '../running/our-up.ts'
import { verbAt } from './scenario.ts'

/** A stack. `inPlace` says whether a stop keeps its containers for a later start. */
export interface OurStack extends AnyStack {
  inPlace: boolean
}

/** The result of a command as its caller sees it. */
export interface Output {
  code: number
  stdout: string
  stderr: string
}

/** Does what a docker compose command does, through the service's endpoints. */
export async function composeCommand(
  stack: OurStack,
  words: readonly string[],
  variables: readonly string[],
): Promise<Output> {
  const at = verbAt(words)
  const [verb = '', ...rest] = words.slice(at)
  const profiles = words.slice(0, at).filter((word) => !word.startsWith('-'))
  const own = profiles.length > 0 ? [`COMPOSE_PROFILES=${profiles.join(',')}`] : []
  await setVariables(stack, [...variables, ...own])
  switch (verb) {
    case 'up':
      return up(stack, rest)
    case 'scale':
      return scaleTo(stack, rest, [])
    case 'start':
      return each(stack, startContainer)
    case 'stop':
      if (stack.inPlace) return each(stack, stopContainer)
      return answered(await call(stop, stack))
    case 'down':
      return answered(await call(stop, stack))
    case 'restart': {
      const body = rest.length > 0 ? { services: rest } : {}
      return answered(await call(restart, { ...stack, body }))
    }
    case 'logs':
      return written(stack)
    default: {
      const [service = '', ...command] = rest
      const containers = (await call(status, stack)).json as { service: string; name: string }[]
      const name = containers.find((one) => one.service === service)?.name ?? service
      return docker(['exec', name, ...command])
    }
  }
}

/** Puts variables of the caller's environment into the stack's `.env`. */
async function setVariables(stack: OurStack, variables: readonly string[]): Promise<void> {
  if (variables.length === 0) return
  const { status: code, text } = await call(update, {
    ...stack,
    body: { env: variables.map((one) => `${one}\n`).join('') },
  })
  if (code !== 200) throw new Error(text)
}

async function up(stack: OurStack, words: readonly string[]): Promise<Output> {
  const scales = words.filter((word) => /^[\w.-]+=\d+$/.test(word))
  if (scales.length > 0) return scaleTo(stack, scales, words)
  const ended = await deployed(stack, words, {})
  return words.includes('-d') || ended.code !== 0 ? ended : attached(stack, ended)
}

/** Scales services with an overlay of the stack, because the service has no scale command. */
async function scaleTo(stack: OurStack, scales: readonly string[], words: readonly string[]) {
  const project = stack.project()
  const services = Object.fromEntries(
    scales.map((one) => {
      const [service = '', text] = one.split('=')
      const said = project.services[service]?.deploy?.replicas !== undefined
      const replicas = said ? { deploy: { replicas: Number(text) } } : {}
      return [service, { scale: Number(text), ...replicas }]
    }),
  )
  const overlays = {
    scale: JSON.stringify({ services: { ...(await scaled(stack)), ...services } }),
  }
  const { status: code, text } = await call(update, { ...stack, body: { overlays } })
  if (code !== 200) throw new Error(text)
  return deployed(stack, words, { environment: 'scale' })
}

/**
 * Returns the services of earlier `scale` commands, because each command changes only the services
 * it names.
 */
async function scaled({ ports, path }: OurStack): Promise<object> {
  const overlay = (await ports.stacks.find(path.name))?.files.overlays.scale
  return overlay === undefined ? {} : JSON.parse(await ports.texts.get(overlay)).services
}

async function deployed(stack: OurStack, words: readonly string[], more: object): Promise<Output> {
  const body = {
    force_recreate: words.includes('--force-recreate'),
    remove_orphans: words.includes('--remove-orphans'),
    ...more,
  }
  const { status: code, json } = await call(deploy, { ...stack, body })
  if (code !== 200) return { code: 1, stdout: '', stderr: json.error }
  const steps: { action: string; name: string }[] = json.steps
  const recreated = steps.filter(({ action }) => action === 'recreate')
  return {
    code: json.status === 'succeeded' ? 0 : 1,
    stdout: '',
    stderr: [...recreated.map(({ name }) => `Container ${name} Recreated`), json.error].join('\n'),
  }
}

/** Waits until all containers have exited. Adds their output. */
async function attached(stack: OurStack, ended: Output): Promise<Output> {
  const ask = async () => (await call(status, stack)).json as { state: string }[]
  await until(ask, (all) => all.every(({ state }) => state === 'exited'), 60)
  const { stdout, stderr } = await written(stack)
  return { ...ended, stdout, stderr: `${ended.stderr}\n${stderr}` }
}

/** Starts or stops all containers of the stack, one by one. */
async function each(
  { ports, as, path }: OurStack,
  action: typeof startContainer | typeof stopContainer,
): Promise<Output> {
  const all = (await call(status, { ports, as, path })).json as { container_id: string }[]
  for (const { container_id: id } of all) {
    const { status: code, text } = await call(action, { ports, as, path: { id } })
    if (code !== 200) return { code: 1, stdout: '', stderr: text }
  }
  return { code: 0, stdout: '', stderr: '' }
}

/** Returns the output of all containers of the stack. */
async function written(stack: OurStack): Promise<Output> {
  const lines = (await call(logs, { ...stack, query: { tail: 1000 } })).json
  const of = (stream: string) =>
    lines.flatMap((one: any) => (one.stream === stream ? [one.line] : [])).join('\n')
  return { code: 0, stdout: of('stdout'), stderr: of('stderr') }
}

const answered = ({ status: code, json }: { status: number; json: any }): Output =>
  code === 200 ? { code: 0, stdout: '', stderr: '' } : { code: 1, stdout: '', stderr: json.error }

/** Runs Docker's own client to inspect the Engine. */
export function docker(args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile('docker', args, (failed, stdout, stderr) => {
      resolve({ code: failed ? Number(failed.code ?? 1) || 1 : 0, stdout, stderr })
    })
  })
}
