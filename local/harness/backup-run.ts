import type { Json } from '../../adapters/testing/json.ts'
import { api, type Running, until } from './service.ts'

/**
 * Waits until a backup or restore run has ended. Returns it as the API shows it. Throws after
 * `seconds`.
 */
export const untilRunEnded = (
  running: Pick<Running, 'url'>,
  token: string,
  id: string,
  seconds = 90,
): Promise<Json> =>
  until(
    async () => (await api(running, 'GET', `/backup-runs/${id}`, { token })).json,
    ({ status }) => status !== 'running',
    seconds,
  )
