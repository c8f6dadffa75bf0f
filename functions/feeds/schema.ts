import { z } from 'zod'
import type { ExecOptions } from '../core/engine/exec.ts'
import { ContainerId, feedTail, flag, HostQuery, StackName, since } from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId })

/** Whether a log is followed after its past lines. */
const follow = flag.default(true).meta({
  description:
    'Send new lines as they are written; with `false` the feed ends after the past lines',
  default: true,
})

const allOrTail = z
  .union([z.literal('all'), feedTail])
  .default(100)
  .meta({ description: 'Number of past lines, or `all`; defaults to 100' })

export const LogQuery = HostQuery.extend({ tail: allOrTail, since, follow })

export const StackPath = z.object({ name: StackName })

export const StackLogQuery = z.object({
  service: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'Only lines of this service' }),
  tail: feedTail.meta({ description: 'Number of past lines of each container' }),
  since,
  follow,
})

const word = z
  .string()
  .max(16_384)
  .regex(/^[^\0]*$/, 'must not contain a NUL byte')
const side = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'a number from 1 to 9999')
  .transform(Number)
  .optional()

export const ExecQuery = HostQuery.extend({
  cmd: z
    .array(word)
    .max(256)
    .refine(([program]) => program !== '', 'must begin with the name of a program')
    .optional()
    .meta({ description: 'The program and its arguments; defaults to `/bin/sh`' }),
  tty: flag.default(false).meta({ description: 'Allocate a terminal', default: false }),
  user: word
    .regex(/^[^\s]{1,256}$/, 'a user')
    .optional()
    .meta({ description: 'A user name or id, optionally with `:group`' }),
  workdir: word
    .max(4096)
    .startsWith('/')
    .optional()
    .meta({ description: 'An absolute path in the container' }),
  cols: side.meta({ type: 'integer', description: 'Columns of the terminal; defaults to 80' }),
  rows: side.meta({ type: 'integer', description: 'Rows of the terminal; defaults to 24' }),
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
  time: z.string().meta({ description: 'When the last line of the message was written' }),
  data: z.string().meta({ description: 'One or more whole lines, each with its newline' }),
}
const end = z.object({
  exit_code: z.int().nullable().meta({
    description: 'Null if the container was removed or is running again',
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
      cpu_percent: z
        .number()
        .meta({ description: 'Percentage of one processor, as in `docker stats`' }),
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
    description: 'Only events of this host; defaults to all hosts in your scope',
  }),
  since: since.meta({ description: 'Also past events since this time, at most a day ago' }),
})

const subject = z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() })

export const EventMessage = z
  .union([
    z.object({
      id: z.string().meta({ description: 'The same each time the event is sent' }),
      time: z.string(),
      source: z.enum(['docker', 'service']),
      host_id: z.string().nullable(),
      kind: z.string().meta({ examples: ['container.start', 'stack.deploy.step', 'host.offline'] }),
      subject: subject.nullable(),
      by: z.string().nullable().meta({ description: 'The user name of the actor, if known' }),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    z.object({
      gap: z.object({
        host_id: z
          .string()
          .nullable()
          .meta({ description: 'Null for events of the service itself' }),
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
