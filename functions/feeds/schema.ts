import { z } from 'zod'
import { ContainerId, feedTail, flag, HostQuery, since } from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId })

/** Whether a log is followed or only shown. */
const follow = flag.default(true).meta({
  description: 'Go on with what comes; with `false` the feed ends after the past lines',
  default: true,
})

export const LogQuery = HostQuery.extend({ tail: feedTail, since, follow })

const line = {
  stream: z.enum(['stdout', 'stderr']),
  time: z.string().meta({ description: 'When the last of its lines was written' }),
  data: z.string().meta({ description: 'One or more whole lines, each with its newline' }),
}
const end = z.object({
  exit_code: z.int().nullable().meta({
    description: 'Null when the container was removed, or runs again',
  }),
})

export const LogMessage = z.union([z.object(line), z.object({ end })]).meta({
  id: 'LogMessage',
  examples: [{ stream: 'stdout', time: '2026-11-21T10:00:01.123456789Z', data: 'ready\n' }],
})
