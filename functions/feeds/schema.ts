import { z } from 'zod'
import type { ExecOptions } from '../core/engine/exec.ts'
import { ContainerId, feedTail, flag, HostQuery, StackName, since } from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId })

/** Whether a log is followed after its past lines. */
const follow = flag.default(true).meta({
  description: 'Go on with what comes; with `false` the feed ends after the past lines',
  default: true,
})

const allOrTail = z
  .union([z.literal('all'), feedTail])
  .default(100)
  .meta({ description: 'Past lines: the last ones, or `all`; 100 unless given' })

export const LogQuery = HostQuery.extend({ tail: allOrTail, since, follow })

export const StackPath = z.object({ name: StackName })

export const StackLogQuery = z.object({
  service: z.string().min(1).max(128).optional().meta({ description: 'Of this service alone' }),
  tail: feedTail.meta({ description: 'Past lines of each container' }),
  since,
  follow,
})

const word = z
  .string()
  .max(16_384)
  .regex(/^[^\0]*$/, 'without a zero byte')
const side = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'a number from 1 to 9999')
  .transform(Number)
  .optional()

export const ExecQuery = HostQuery.extend({
  cmd: z
    .array(word)
    .max(256)
    .refine(([program]) => program !== '', 'the program is missing')
    .optional()
    .meta({ description: 'The program, then each of its arguments; `/bin/sh` unless given' }),
  tty: flag.default(false).meta({ description: 'With a terminal', default: false }),
  user: word
    .regex(/^[^\s]{1,256}$/, 'a user')
    .optional()
    .meta({ description: 'A name or id, also with `:group`' }),
  workdir: word
    .max(4096)
    .startsWith('/')
    .optional()
    .meta({ description: 'An absolute path in the container' }),
  cols: side.meta({ type: 'integer', description: 'Of the terminal; 80 unless given' }),
  rows: side.meta({ type: 'integer', description: 'Of the terminal; 24 unless given' }),
})

/** Returns the Engine's options for a query. */
export const execOptions = ({
  cmd = [],
  tty,
  user,
  workdir,
  cols = 80,
  rows = 24,
}: z.output<typeof ExecQuery>): ExecOptions => ({
  command: cmd.length > 0 ? cmd : ['/bin/sh'],
  tty,
  user,
  workdir,
  size: { columns: cols, rows },
})

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

const origin = { service: z.string(), container_id: z.string() }

export const StackLogMessage = z
  .union([z.object({ ...origin, ...line }), z.object({ ...origin, end })])
  .meta({ id: 'StackLogMessage' })

export const StatsMessage = z
  .union([
    z.object({
      time: z.iso.datetime(),
      cpu_percent: z.number().meta({ description: 'Of one processor, as `docker stats` has it' }),
      cpus: z.int(),
      memory: z.int().meta({ description: 'Bytes, without the page cache' }),
      memory_limit: z.int(),
      memory_percent: z.number(),
      network_rx: z.int().meta({ description: 'Bytes since the container started' }),
      network_tx: z.int(),
      block_read: z.int(),
      block_write: z.int(),
      pids: z.int(),
    }),
    z.object({ end }),
  ])
  .meta({ id: 'StatsMessage' })

export const EventQuery = z.object({
  host: z.string().min(1).max(128).optional().meta({
    description: 'Only what happens on this host; on all in your scope unless given',
  }),
  since: since.meta({ description: 'Also what happened from then on, at most a day ago' }),
})

const subject = z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() })

export const EventMessage = z
  .union([
    z.object({
      id: z.string().meta({ description: 'The same whenever it is told' }),
      time: z.string(),
      source: z.enum(['docker', 'service']),
      host_id: z.string().nullable(),
      kind: z.string().meta({ examples: ['container.start', 'stack.deploy.step', 'host.offline'] }),
      subject: subject.nullable(),
      by: z.string().nullable().meta({ description: 'User name of who did it, where it is known' }),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    z.object({
      gap: z.object({
        host_id: z.string().nullable().meta({ description: 'Null: of the service itself' }),
        from: z.string(),
        to: z.string(),
      }),
    }),
  ])
  .meta({
    id: 'EventMessage',
    examples: [
      {
        id: 'local-1795255201000000000-start-4468fcfee91d',
        time: '2026-11-21T10:00:01.000000Z',
        source: 'docker',
        host_id: 'local',
        kind: 'container.start',
        subject: { kind: 'container', id: '4468fcfee91d', name: 'shop-web-1' },
        by: null,
        details: { image: 'shop:3', stack: 'shop', service: 'web' },
      },
    ],
  })
