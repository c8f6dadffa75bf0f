import { z } from 'zod'

const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const secret = (most: number) => z.string().min(1).max(most)

/** A path with a step `..` is rejected for every kind of target. */
const path = z
  .string()
  .max(1024)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
  .refine((given) => !given.split('/').includes('..'), 'must not contain `..`')
  .overwrite((given) => given.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'))

const LocalTarget = z
  .object({
    kind: z.literal('local').describe('A directory on the machine of the service'),
    path: path.describe(
      'A directory on the machine of the service, or of its container if it runs in one: absolute, which needs stacks:privileged, or relative to `<data>/backups`',
    ),
  })
  .meta({ id: 'LocalBackupTarget' })

const S3Target = z
  .object({
    kind: z.literal('s3').describe('A bucket of an S3-compatible server'),
    bucket: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/,
        'must be a bucket name: 3 to 255 letters, digits and . _ -, with a letter or digit at both ends',
      )
      .describe('Name of the bucket'),
    prefix: path
      .overwrite((given) => given.replace(/^\//, ''))
      .describe('Prefix of the object names'),
    region: text(64).describe('Region of the bucket'),
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(512)
      .refine(
        (url) => !/[?#]|\/\/[^/]*@/.test(url),
        'must be a URL without a user name, query or fragment',
      )
      .nullable()
      .describe('The URL of an S3-compatible server; null for Amazon S3'),
    force_path_style: z
      .boolean()
      .describe('Whether the bucket is in the path instead of the host name'),
    access_key_id: text(256).describe('Id of the access key'),
  })
  .meta({ id: 'S3BackupTarget' })

const SftpTarget = z
  .object({
    kind: z.literal('sftp').describe('A directory on an SSH server with SFTP'),
    host: z
      .string()
      .regex(/^[A-Za-z0-9:][A-Za-z0-9.:_-]{0,252}$/, 'must be a host name or address')
      .describe('Host name or address of the server'),
    port: z.int().min(1).max(65_535).describe('Port of the SSH server'),
    username: text(256).describe('Account on the server'),
    path: path.describe('Absolute, or relative to the login directory of the account'),
    host_key: z
      .string()
      .regex(
        /^SHA256:[A-Za-z0-9+/]{43}$/,
        'must be the fingerprint of the server’s key, `SHA256:…`, as printed by `ssh-keyscan HOST | ssh-keygen -lf -`',
      )
      .describe(
        'Fingerprint of the server’s key, `SHA256:…`, as `ssh-keyscan HOST | ssh-keygen -lf -` prints it',
      ),
  })
  .meta({ id: 'SftpBackupTarget' })

/** A target in a response, without its secrets. */
export const Target = z
  .discriminatedUnion('kind', [LocalTarget, S3Target, SftpTarget])
  .meta({ id: 'BackupTarget' })

/** A target in a request. */
export const TargetBody = z
  .discriminatedUnion('kind', [
    z
      .strictObject({ ...LocalTarget.shape, path: LocalTarget.shape.path.default('') })
      .meta({ id: 'LocalBackupTargetBody' }),
    z
      .strictObject({
        ...S3Target.shape,
        prefix: S3Target.shape.prefix.default(''),
        region: S3Target.shape.region.default('us-east-1'),
        endpoint: S3Target.shape.endpoint.default(null),
        force_path_style: S3Target.shape.force_path_style.default(false),
        secret_access_key: secret(1024)
          .optional()
          .describe(
            'Secret of the access key. Required for a new target, otherwise the stored one is kept',
          ),
      })
      .meta({ id: 'S3BackupTargetBody' }),
    z
      .strictObject({
        ...SftpTarget.shape,
        port: SftpTarget.shape.port.default(22),
        path: SftpTarget.shape.path.default(''),
        password: secret(1024).optional().describe('Password of the account'),
        private_key: secret(16_384).optional().describe('In PEM or OpenSSH format'),
        passphrase: secret(1024).optional().describe('Passphrase of `private_key`'),
      })
      .meta({ id: 'SftpBackupTargetBody' }),
  ])
  .meta({ id: 'BackupTargetBody' })
