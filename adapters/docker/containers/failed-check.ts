import type Docker from 'dockerode'
import { refusedStart } from '../exec/refused-start.ts'

/** The length of the text, in characters. A longer output ends with what matters. */
const lengthMax = 200

/**
 * Returns in one line what the last health check of a container printed if it failed. Returns
 * undefined if it passed, printed nothing, or there was none.
 */
export function failedCheck({ State }: Pick<Docker.ContainerInspectInfo, 'State'>) {
  const last = State.Health?.Log?.at(-1)
  if (!last || last.ExitCode === 0) return undefined
  const said = refusedStart(last.Output, last.ExitCode) ?? last.Output
  const line = said.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line === '') return undefined
  return line.length <= lengthMax ? line : `…${line.slice(-lengthMax)}`
}
