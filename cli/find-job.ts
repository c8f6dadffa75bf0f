import type { Client, Reply } from './client.ts'
import { failed } from './failure.ts'
import type { BackupJob } from './records.ts'

/** Returns the backup job with that name or id. Throws a `CliFailure` if there is none. */
export async function findJob(service: Client, text: string): Promise<Reply<BackupJob>> {
  const reply = await service.get<BackupJob[]>('/backup-jobs')
  const wanted = text.toLowerCase()
  const found = reply.value.find(({ id, name }) => id === text || name.toLowerCase() === wanted)
  if (!found) throw failed(`there is no backup job ${JSON.stringify(text)}`)
  return { ...reply, value: found }
}
