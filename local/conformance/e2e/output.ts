import type { Json } from '../../../adapters/testing/json.ts'
import type { CallResult } from '../../harness/call.ts'

/** The result of a command as its caller sees it. */
export interface Output {
  code: number
  stdout: string
  stderr: string
}

/** The output of a command that prints nothing. */
export const silent: Output = { code: 0, stdout: '', stderr: '' }

/** The output of a command that fails. */
export const failedWith = (stderr: string, code = 1): Output => ({ code, stdout: '', stderr })

/** Returns the outputs of several commands as one. Its code is the first one that is not 0. */
export const together = (outputs: readonly Output[]): Output => ({
  code: outputs.find(({ code }) => code !== 0)?.code ?? 0,
  stdout: outputs.map(({ stdout }) => stdout).join(''),
  stderr: outputs.map(({ stderr }) => stderr).join(''),
})

/** How docker compose reports what a step has done. */
const done: Record<string, string> = {
  create: 'Created',
  recreate: 'Recreated',
  start: 'Started',
  stop: 'Stopped',
  remove: 'Removed',
  restart: 'Restarted',
  pause: 'Paused',
  unpause: 'Unpaused',
}

/** Returns the output of docker compose for a deployment, or for the error that prevented it. */
export function outputOfDeployment({ status, json }: CallResult): Output {
  if (status >= 300) return failedWith(`${json?.error}\n`)
  const lines = (json.steps ?? []).flatMap(linesOfStep)
  const ended = json.status === 'succeeded' ? [] : [json.error ?? `it is ${json.status}`]
  const notes = [...(json.warnings ?? []), ...lines, ...ended]
  const stderr = notes.map((line) => `${line}\n`).join('')
  return { code: json.status === 'succeeded' ? 0 : 1, stdout: '', stderr }
}

function linesOfStep({ action, kind, name, status }: Json): string[] {
  if (status !== 'done') return []
  if (action === 'build') return [`${name} Built`]
  if (action === 'pull') return [`Image ${name} Pulling`, `Image ${name} Pulled`]
  const past = done[action]
  if (!past) return []
  const noun = `${String(kind).charAt(0).toUpperCase()}${String(kind).slice(1)}`
  return [`${noun} ${name} ${past}`]
}

/** Returns the output for a response that is no deployment. */
export const outputOfResponse = ({ status, json }: CallResult): Output =>
  status < 300 ? silent : failedWith(`${json?.error}\n`)
