import { z } from 'zod'
import { ImageName, StackName } from '../../kit/params.ts'
import { Replicas, TimeoutSeconds } from '../deployment-schema.ts'

export const ServicePath = z.object({
  name: StackName.describe('Name of the stack'),
  service: z.string().min(1).max(128).describe('Name of the service'),
})

export const ServiceProcess = z
  .object({
    container_id: z.string().describe('Id of the container'),
    container: z.string().describe('Name of the container'),
    pid: z.int().describe('Process id on the host'),
    parent_pid: z
      .int()
      .nullable()
      .describe('Process id of its parent; `null` if the host does not show it'),
    user: z
      .string()
      .nullable()
      .describe('Name or number of its user on the host; `null` if the host does not show it'),
    started: z
      .string()
      .nullable()
      .meta({ description: 'Time or day when it started; `null` if the host does not show it' }),
    cpu_time: z
      .string()
      .nullable()
      .describe('Processor time that it used; `null` if the host does not show it'),
    program: z.string().describe('First word of its command line'),
    command: z.string().nullable().meta({
      description:
        'Its command line, at most 4096 characters; `null` without the permission containers:secrets',
    }),
  })
  .meta({
    id: 'ServiceProcess',
    examples: [
      {
        container_id: '4f6d1b0c9a2e',
        container: 'shop-web-1',
        pid: 20417,
        parent_pid: 20396,
        user: 'root',
        started: '10:00',
        cpu_time: '00:00:04',
        program: 'nginx:',
        command: 'nginx: master process nginx -g daemon off;',
      },
    ],
  })

export const StopServiceBody = z
  .strictObject({ timeout_seconds: TimeoutSeconds.optional() })
  .meta({ id: 'StopServiceBody', examples: [{ timeout_seconds: 30 }] })

const word = z
  .string()
  .max(16_384)
  .regex(/^[^\0]*$/, 'must not contain a NUL byte')

export const RunBody = z
  .strictObject({
    command: z
      .array(word)
      .max(256)
      .optional()
      .describe('Arguments of the entrypoint; defaults to the command of the service'),
    entrypoint: z.array(word).min(1).max(256).optional().meta({
      description:
        'The program that is started, with its first arguments; without `command` that of the service is dropped too',
    }),
    env: z
      .record(z.string().regex(/^[^=\0]{1,256}$/, 'must be a name without ='), word)
      .refine((env) => Object.keys(env).length <= 256, 'must have at most 256 variables')
      .optional()
      .meta({
        description:
          'Variables in addition to those of the service; needs the permission stacks:deploy, because proxies read variables of containers',
      }),
    user: word
      .regex(
        /^[^\s]{1,256}$/,
        'must be a user name or id, optionally with `:group`, without spaces',
      )
      .optional()
      .describe('A user name or id, optionally with `:group`; defaults to that of the service'),
    publish: z
      .array(
        z
          .string()
          .regex(
            /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?[1-9]\d{0,4}:[1-9]\d{0,4}(?:\/(?:tcp|udp|sctp))?$/,
            'must be [address:]port:port of the container[/protocol]',
          ),
      )
      .max(64)
      .optional()
      .meta({
        description:
          'Ports to publish, such as `127.0.0.1:8080:80`; needs the permission stacks:deploy',
      }),
    service_ports: z.boolean().optional().meta({
      description: 'Publish the ports of the service; needs the permission stacks:deploy',
    }),
    tty: z.boolean().optional().describe('Allocate a terminal'),
    keep: z.boolean().optional().describe('Keep the container after its end'),
    dependencies: z.boolean().optional().meta({
      description:
        'Whether the services that it depends on must be up; defaults to true. They are never started',
    }),
  })
  .meta({ id: 'RunBody', examples: [{ command: ['npm', 'run', 'migrate'], tty: false }] })

export const OneOffContainer = z
  .object({
    container_id: z.string().describe('Id of the container, for `/ws/attach/{id}`'),
    container: z.string().describe('Name of the container'),
  })
  .meta({
    id: 'OneOffContainer',
    examples: [{ container_id: '4f6d1b0c9a2e', container: 'shop-web-run-0a1b2c3d4e5f' }],
  })

const line = z
  .string()
  .max(1024)
  .regex(/^[^\0\r\n]*$/, 'must be one line')

export const CommitBody = z
  .strictObject({
    image: ImageName.meta({ description: 'The name of the image; without a tag, `latest`' }),
    number: z
      .int()
      .min(1)
      .optional()
      .describe('Number of the container; defaults to the lowest that the service has'),
    author: line.optional().describe('Author of the image'),
    message: line.optional().describe('Message for the history of the image'),
    changes: z
      .array(
        line.regex(
          /^(?:CMD|ENTRYPOINT|ENV|EXPOSE|HEALTHCHECK|STOPSIGNAL|USER|VOLUME|WORKDIR)\s/i,
          'must be an instruction such as ENV, CMD or WORKDIR',
        ),
      )
      .max(64)
      .optional()
      .meta({ description: 'Instructions of a Dockerfile that change the configuration' }),
    pause: z
      .boolean()
      .optional()
      .describe('Whether the container is paused meanwhile; defaults to true'),
  })
  .meta({ id: 'CommitBody', examples: [{ image: 'shop-web:before-upgrade', number: 1 }] })

export const CommittedImage = z
  .object({
    id: z.string().describe('Id of the image'),
    image: z.string().describe('Name of the image, as it was asked for'),
  })
  .meta({
    id: 'CommittedImage',
    examples: [{ id: `sha256:${'0d1e2f3a'.repeat(8)}`, image: 'shop-web:before-upgrade' }],
  })

export const BuildServiceBody = z
  .strictObject({
    no_cache: z
      .boolean()
      .optional()
      .describe('Run each instruction again instead of using the results of earlier builds'),
  })
  .meta({ id: 'BuildServiceBody', examples: [{ no_cache: true }] })

export const ScaleBody = z
  .strictObject({
    replicas: Replicas.describe('How many containers the service gets'),
  })
  .meta({ id: 'ScaleBody', examples: [{ replicas: 3 }] })
