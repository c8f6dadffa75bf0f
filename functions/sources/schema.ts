import { z } from 'zod'
import { instant, instantOrNull } from '../core/access/fields.ts'
import { sourceProblems } from '../core/ports/source-reader.ts'
import type { LookProblem, Source as SourceRecord } from '../core/records/source.ts'
import { sourceKinds } from '../core/records/source-address.ts'
import type { AccessFields } from '../core/sources/source-access.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'
import { Time } from '../kit/params.ts'
import { acceptResponse } from '../kit/read-only.ts'

const Name = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )
  .meta({ examples: ['shop'] })

export const SourcePath = z.object({ name: Name.describe('Name of the source') })

const Kind = z.enum(sourceKinds).meta({
  id: 'SourceKind',
  description:
    '`oci`: a project in a registry, as `stacks publish` and `docker compose publish` make it. `git`: a repository over https or ssh',
})

/** Characters of an address, also with its escapes. */
export const urlMax = 1024
const Url = z
  .string()
  .max(urlMax)
  .describe(
    'Where it is, without a password: `oci://registry.example.org/team/shop`, `https://forge.example.org/ada/estate.git`, `ssh://git@forge.example.org/ada/estate.git` or `git@forge.example.org:ada/estate.git`',
  )
const Ref = z
  .string()
  .min(1)
  .max(255)
  .describe(
    'A tag, or a digest such as `sha256:…`; of git a branch, a tag, a full commit ID or `HEAD`, the default branch',
  )
const lookMax = 30 * 24 * 3600
const LookEvery = z
  .int()
  .min(60)
  .max(lookMax)
  .nullable()
  .describe(
    'Seconds from one look to the next, spread by 10 %; `null`: only when you ask. If the source does not respond, the next look comes after a minute, and each failure in a row doubles that, up to this time',
  )
const Username = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}:]*$/u, 'must not contain control characters or a colon')
const Password = z
  .string()
  .min(1)
  .max(8192)
  .describe('A password or an access token; never returned')

const authorityMax = 8192
const CertificateAuthority = z
  .string()
  .min(1)
  .max(authorityMax)
  .describe(
    'Certificates in PEM that are trusted instead of those of the system. For git over https',
  )
const HostKey = z
  .string()
  .regex(
    /^SHA256:[A-Za-z0-9+/]{43}$/,
    'must be the fingerprint of the server’s key, `SHA256:…`, as a look shows it and its operator publishes it',
  )
  .describe(
    'Fingerprint of the server’s key, `SHA256:…`. For git over ssh: without it, a look says which key the server has, and reads nothing',
  )
const PrivateKey = z
  .string()
  .min(1)
  .max(16_384)
  .describe(
    'Without a passphrase, in the format of OpenSSH or PEM; never returned. For git over ssh: without it, the service makes one',
  )

const AgeIdentity = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    'Identity of age that decrypts files, `AGE-SECRET-KEY-1…` or the file of `age-keygen` that has one; never returned. Without it, the service makes one',
  )

const SourceError = z
  .object({
    reason: z
      .enum([...sourceProblems, 'blocked', 'internal'])
      .describe('Why, for programs. `blocked`: the account that it acts as may not read it'),
    message: z.string().describe('What is wrong, and what to do'),
    host_key: z
      .string()
      .nullable()
      .describe(
        'Fingerprint of the key that the server has, if you have to confirm it; else `null`',
      ),
  })
  .meta({ id: 'SourceError', description: 'Why the last look at a source failed' })

export const Source = z
  .object({
    name: Name.describe('Name of the source'),
    kind: Kind.describe('What it is'),
    url: Url,
    ref: Ref,
    username: z
      .string()
      .nullable()
      .describe('Account that reads it; `null`: the one that is stored of its registry, if any'),
    certificate_authority: CertificateAuthority.nullable().describe(
      'Certificates in PEM that are trusted; `null`: those of the system. For git over https',
    ),
    public_key: z
      .string()
      .nullable()
      .describe(
        'The key that signs in over ssh, as one line to add at the server; `null` of other sources',
      ),
    host_key: HostKey.nullable().describe(
      'Fingerprint of the server’s key that was confirmed; `null` before, and of other sources',
    ),
    age_recipient: z
      .string()
      .nullable()
      .describe(
        'Encrypt files with `sops` for this recipient of age, and they are decrypted when a stack takes them; `null` of a source of an earlier version, until it is saved again',
      ),
    look_every_seconds: LookEvery,
    acts_as: z
      .string()
      .nullable()
      .describe('User name of the account that saved it: looks have the rights of that'),
    revision: z
      .string()
      .nullable()
      .describe(
        'Digest or commit ID that the reference named at the last look that succeeded; `null` before',
      ),
    last_looked_at: Time.nullable().describe(
      'When the last look ended, also one that was blocked; `null` before',
    ),
    next_look_at: Time.nullable().describe('When it asks next; `null` if it does so only for you'),
    last_error: SourceError.nullable().describe('`null` if the last look succeeded'),
    created_at: Time.describe('When it was made'),
    updated_at: Time.describe('When a user last changed it'),
  })
  .meta({ id: 'Source', description: 'A place outside of the service that has files of stacks' })

export const sourceExample = {
  name: 'shop',
  kind: 'oci' as const,
  url: 'oci://registry.example.org/team/shop',
  ref: '1.0',
  username: null,
  certificate_authority: null,
  public_key: null,
  host_key: null,
  age_recipient: `age1${'q'.repeat(58)}`,
  look_every_seconds: 300,
  acts_as: 'ada',
  revision: `sha256:${'1'.repeat(64)}`,
  last_looked_at: '2026-11-29T12:00:00.000Z',
  next_look_at: '2026-11-29T12:05:00.000Z',
  last_error: null,
  created_at: '2026-11-28T10:00:00.000Z',
  updated_at: '2026-11-28T10:00:00.000Z',
}

export const CreateSourceBody = z
  .strictObject({
    name: Name.describe('Name of the source'),
    kind: Kind.describe('What it is'),
    url: Url,
    ref: Ref,
    look_every_seconds: LookEvery.default(300),
    username: Username.optional().describe('Account that reads it'),
    password: Password.optional(),
    certificate_authority: CertificateAuthority.optional(),
    private_key: PrivateKey.optional(),
    host_key: HostKey.optional(),
    age_identity: AgeIdentity.optional(),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    path: ['password'],
    message: 'must be sent together with `username`',
  })
  .meta({
    id: 'CreateSourceBody',
    examples: [
      { name: 'shop', kind: 'oci', url: sourceExample.url, ref: '1.0' },
      { name: 'estate', kind: 'git', url: 'git@forge.example.org:ada/estate.git', ref: 'main' },
    ],
  })

export const UpdateSourceBody = acceptResponse(
  z.strictObject({
    name: Name.optional().describe('The present name: it cannot be changed'),
    kind: Kind.optional().describe('The present kind: it cannot be changed'),
    url: Url.optional().describe('The present URL: it cannot be changed'),
    ref: Ref.optional(),
    look_every_seconds: LookEvery.optional(),
    username: Username.nullable()
      .optional()
      .describe('Account that reads it; `null`: the one that is stored of its registry, if any'),
    password: Password.optional(),
    certificate_authority: CertificateAuthority.nullable()
      .optional()
      .describe('Certificates in PEM that are trusted; `null`: those of the system'),
    private_key: PrivateKey.nullable().optional().describe('`null`: the service makes a new one'),
    host_key: HostKey.nullable()
      .optional()
      .describe('Fingerprint of the server’s key, `SHA256:…`; `null`: to be confirmed again'),
    age_identity: AgeIdentity.nullable()
      .optional()
      .describe(
        'Identity of age that decrypts files; `null`: the service makes a new one, and files that are encrypted for the present one are no longer decrypted',
      ),
  }),
  Source,
).meta({ id: 'UpdateSourceBody' })

const errorView = (problem: LookProblem | null): z.input<typeof SourceError> | null =>
  problem && {
    reason: problem.reason as z.input<typeof SourceError>['reason'],
    message: problem.message,
    host_key: problem.hostKey ?? null,
  }

/** Returns a source in the API's form, without its password and its secret keys. */
export const sourceView = (source: SourceRecord): z.input<typeof Source> => ({
  name: source.id,
  kind: source.kind,
  url: source.url,
  ref: source.ref,
  username: source.account?.username ?? null,
  certificate_authority: source.certificateAuthority ?? null,
  public_key: source.key?.publicKey ?? null,
  host_key: source.hostKey ?? null,
  age_recipient: source.age?.recipient ?? null,
  look_every_seconds: source.lookEvery,
  acts_as: source.actsAs.username,
  revision: source.look.revision,
  last_looked_at: instantOrNull(source.look.askedAt),
  next_look_at: instantOrNull(source.look.nextAt),
  last_error: errorView(source.look.problem),
  created_at: instant(source.createdAt),
  updated_at: instant(source.updatedAt),
})

/** What the bodies of two endpoints say of how a source is read. */
export const accessOf = (
  body: Partial<Pick<z.output<typeof UpdateSourceBody>, AccessNames>>,
): AccessFields => ({
  username: body.username,
  password: body.password,
  certificateAuthority: body.certificate_authority,
  privateKey: body.private_key,
  hostKey: body.host_key,
})

type AccessNames = 'username' | 'password' | 'certificate_authority' | 'private_key' | 'host_key'

/** Looks change the record too, but not the edition. */
export const sourceEdition = ({ createdAt, updatedAt }: SourceRecord): Edition =>
  editionOf([createdAt, updatedAt])
