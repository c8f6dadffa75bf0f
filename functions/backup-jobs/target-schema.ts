import { z } from 'zod'

const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, 'contains control characters')
const secret = (most: number) => z.string().min(1).max(most)

/** A path with a step `..` is rejected for every kind of target. */
const path = z
  .string()
  .max(1024)
  .regex(/^[^\p{Cc}]*$/u, 'contains control characters')
  .refine((given) => !given.split('/').includes('..'), 'must not contain `..`')
  .overwrite((given) => given.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'))

const LocalTarget = z.object({
  kind: z.literal('local'),
  path: path.describe(
    'A directory on the machine of the service: absolute, which needs stacks:privileged, or relative to `<data>/backups`',
  ),
})

const S3Target = z.object({
  kind: z.literal('s3'),
  bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'is not a bucket name'),
  prefix: path
    .overwrite((given) => given.replace(/^\//, ''))
    .describe('Prefix of the object names'),
  region: text(64),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(512)
    .refine((url) => !/[?#]|\/\/[^/]*@/.test(url), 'must be a plain URL')
    .nullable()
    .describe('The URL of an S3-compatible server; null for Amazon S3'),
  force_path_style: z
    .boolean()
    .describe('Whether the bucket is in the path instead of the host name'),
  access_key_id: text(256),
})

const SftpTarget = z.object({
  kind: z.literal('sftp'),
  host: z.string().regex(/^[A-Za-z0-9:][A-Za-z0-9.:_-]{0,252}$/, 'is not a host name or address'),
  port: z.int().min(1).max(65_535),
  username: text(256),
  path: path.describe('Absolute, or relative to the login directory of the account'),
  host_key: z
    .string()
    .regex(
      /^SHA256:[A-Za-z0-9+/]{43}$/,
      'must be the fingerprint of the server’s key, `SHA256:…`, as printed by `ssh-keyscan HOST | ssh-keygen -lf -`',
    ),
})

/** A target in a response, without its secrets. */
export const Target = z
  .discriminatedUnion('kind', [LocalTarget, S3Target, SftpTarget])
  .meta({ id: 'BackupTarget' })

/** A target in a request. */
export const TargetBody = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...LocalTarget.shape, path: LocalTarget.shape.path.default('') }),
    z.strictObject({
      ...S3Target.shape,
      prefix: S3Target.shape.prefix.default(''),
      region: S3Target.shape.region.default('us-east-1'),
      endpoint: S3Target.shape.endpoint.default(null),
      force_path_style: S3Target.shape.force_path_style.default(false),
      secret_access_key: secret(1024).optional(),
    }),
    z.strictObject({
      ...SftpTarget.shape,
      port: SftpTarget.shape.port.default(22),
      path: SftpTarget.shape.path.default(''),
      password: secret(1024).optional(),
      private_key: secret(16_384).optional().describe('In PEM or OpenSSH format'),
      passphrase: secret(1024).optional(),
    }),
  ])
  .meta({ id: 'BackupTargetBody' })
