import { z } from 'zod'
import type { ExecOptions } from '../core/ports/engine-exec.ts'
import { eventKinds } from '../core/records/event-kinds.ts'
import {
  ContainerId,
  EngineTime,
  feedTail,
  flag,
  HostQuery,
  HostRef,
  OutputStream,
  StackName,
  since,
} from '../kit/params.ts'

export const ContainerPath = z.object({ id: ContainerId.describe('Id or name of the container') })

/** Whether a log is followed after its past lines. */
const follow = flag.default(true).meta({
  description:
    'Send new lines as they are written; with `false` the feed ends after the past lines',
  default: true,
})

const times = flag.default(false).meta({
  description: 'Send the time of each line of a message, as `times`',
  default: false,
})

const allOrTail = z
  .union([z.literal('all'), feedTail])
  .optional()
  .meta({
    description: 'Number of past lines, or `all`; defaults to 100, or with `since` to `all`',
  })

export const LogQuery = HostQuery.extend({ tail: allOrTail, since, follow, times })

export const StackPath = z.object({ name: StackName.describe('Name of the stack') })

export const StackLogQuery = z.object({
  service: z
    .array(z.string().min(1).max(128))
    .max(100)
    .optional()
    .meta({ description: 'Only lines of this service; repeatable' }),
  tail: allOrTail.meta({
    description:
      'Number of past lines of each container, or `all`; defaults to 100, or with `since` to `all`',
  }),
  since,
  follow,
  times,
})

const word = z
  .string()
  .max(16_384)
  .regex(/^[^\0]*$/, 'must not contain a NUL byte')
const side = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999')
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
    .regex(/^[^\s]{1,256}$/, 'must be a user name or id, optionally with `:group`, without spaces')
    .optional()
    .meta({ description: 'A user name or id, optionally with `:group`' }),
  workdir: word
    .max(4096)
    .regex(/^\//, 'must be an absolute path')
    .optional()
    .meta({ description: 'An absolute path in the container' }),
  cols: side.meta({ type: 'integer', description: 'Columns of the terminal; defaults to 80' }),
  rows: side.meta({ type: 'integer', description: 'Rows of the terminal; defaults to 24' }),
})

export const AttachQuery = HostQuery.extend({
  cols: side.meta({ type: 'integer', description: 'Columns of the terminal; defaults to 80' }),
  rows: side.meta({ type: 'integer', description: 'Rows of the terminal; defaults to 24' }),
})

export const ArchiveQuery = HostQuery.extend({
  path: z
    .string()
    .max(4096)
    .regex(/^\/[^\0]*$/, 'must be an absolute path')
    .meta({ description: 'An absolute path in the container' }),
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
  stream: OutputStream.describe('Which output the lines were written to'),
  time: EngineTime.meta({ description: 'When the last line of the message was written' }),
  data: z.string().meta({ description: 'One or more whole lines, each with its newline' }),
  times: z
    .array(EngineTime)
    .optional()
    .meta({ description: 'When each of the lines was written, if `times` was asked for' }),
}
const end = z
  .object({
    exit_code: z.int().nullable().meta({
      description: 'Null if the container was removed or is running again',
    }),
  })
  .describe('The log or the container ended; this is the last message')

export const LogMessage = z.union([z.object(line), z.object({ end })]).meta({
  id: 'LogMessage',
  examples: [{ stream: 'stdout', time: '2026-11-21T10:00:01.123456789Z', data: 'ready\n' }],
})

const origin = {
  service: z.string().describe('Name of the service'),
  container_id: z.string().describe('Id of the container'),
}

export const StackLogMessage = z
  .union([
    z.object({ ...origin, ...line }),
    z.object({ ...origin, end }),
    z.object({
      ...origin,
      error: z
        .string()
        .describe('Why the log of the container cannot be read; no line of it is sent'),
    }),
  ])
  .meta({ id: 'StackLogMessage' })

export const StatsMessage = z
  .union([
    z.object({
      time: z.iso.datetime().describe('When the values were read'),
      cpu_percent: z
        .number()
        .meta({ description: 'Percentage of one processor, as in `docker stats`' }),
      cpus: z.int().describe('Processors of the host'),
      memory: z.int().meta({ description: 'Bytes, without the page cache' }),
      memory_limit: z.int().describe('Bytes that the container may use'),
      memory_percent: z.number().describe('Percentage of `memory_limit`'),
      network_rx: z.int().meta({ description: 'Bytes since the container started' }),
      network_tx: z.int().describe('Bytes sent since the container started'),
      block_read: z.int().describe('Bytes read from disks since the container started'),
      block_write: z.int().describe('Bytes written to disks since the container started'),
      pids: z.int().describe('Number of processes and threads'),
    }),
    z.object({ end }),
  ])
  .meta({ id: 'StatsMessage' })

export const EventQuery = z.object({
  host: HostRef.optional().meta({
    description: 'Only events of this host, an id or name; defaults to all hosts in your scope',
  }),
  since: since.meta({ description: 'Also past events since this time, at most a day ago' }),
  caught_up: flag.default(false).meta({
    description: 'Also a `caught_up` message after the past events',
    default: false,
  }),
  heartbeat: flag.default(false).meta({
    description:
      'Also a `heartbeat` message every 30 s: a browser does not see pings, and notices by it that the connection is lost',
    default: false,
  }),
})

const subject = z.object({
  kind: z
    .string()
    .describe('Kind of the subject, with hyphens, such as `container` or `backup-job`'),
  id: z.string().describe('Id of the subject'),
  name: z.string().nullable().describe('Name of the subject; `null` if it has none'),
})

export const EventMessage = z
  .union([
    z.object({
      id: z.string().meta({ description: 'The same each time the event is sent' }),
      time: EngineTime.describe('When it happened, by the clock of its host'),
      source: z.enum(['docker', 'service']).describe('The Engine of a host, or the service itself'),
      host_id: z.string().nullable().describe('Id of the host; `null` if it concerns none'),
      host_name: z
        .string()
        .nullable()
        .describe('Name of the host; `null` if it was deleted or is outside your scope'),
      kind: z
        .string()
        .meta({
          examples: ['container.start', 'stack.deploy.step', 'host.offline'],
          'x-known-values': eventKinds,
        })
        .describe('What happened'),
      subject: subject
        .nullable()
        .describe('What it happened to; `null` if that is nothing in particular'),
      by: z.string().nullable().meta({ description: 'The user name of the actor, if known' }),
      details: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Further facts, which depend on `kind`'),
    }),
    z.object({
      gap: z
        .object({
          host_id: z
            .string()
            .nullable()
            .meta({ description: 'Null for events of the service itself' }),
          host_name: z.string().nullable().describe('Name of the host; `null` without one'),
          from: EngineTime.describe('Start of the gap'),
          to: EngineTime.describe('End of the gap'),
        })
        .describe('Events between these times may be missing'),
    }),
    z.object({
      caught_up: z.iso
        .datetime()
        .describe('All past events until this time were sent. Only with `caught_up=true`, once'),
    }),
    z.object({
      heartbeat: z.iso.datetime().describe('When it was sent. Only with `heartbeat=true`'),
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
        host_name: 'local',
        kind: 'container.start',
        subject: { kind: 'container', id: '4468fcfee91d', name: 'shop-web-1' },
        by: null,
        details: { image: 'shop:3', stack: 'shop', service: 'web' },
      },
    ],
  })
