import { api, type Running, until } from './service.ts'

/** The run of a backup or a restore, as the API tells it, once it is over. Throws after so many seconds. */
export const runEnded = (running: Running, token: string, id: string, seconds = 90): Promise<any> =>
  until(
    async () => (await api(running, 'GET', `/backup-runs/${id}`, { token })).json,
    ({ status }) => status !== 'running',
    seconds,
  )
