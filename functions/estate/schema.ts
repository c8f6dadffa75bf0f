import { z } from 'zod'
import {
  Name as ChannelName,
  channelsMax,
  hasOnePlace,
  onePlace,
  targets,
} from '../alert-channels/schema.ts'
import { CreateAlertRuleBody, rulesMax } from '../alert-rules/schema.ts'
import { CreateJobBody, jobsMax } from '../backup-jobs/schema.ts'
import { TargetBody } from '../backup-jobs/target-schema.ts'
import { estateSections, keyOf } from '../core/estate/plan-estate.ts'
import { sourcesMax } from '../core/sources/source-record.ts'
import { CreateRegistryBody, registriesMax } from '../registries/schema.ts'
import { CreateRoleBody, rolesMax } from '../roles/schema.ts'
import { CreateSourceBody } from '../sources/schema.ts'
import { FileBody } from '../stacks/files/schema.ts'
import { NewStack } from '../stacks/schema.ts'
import { StackSourceBody } from '../stacks/source-schema.ts'
import { UpdatePolicyBody } from '../stacks/update-policy/schema.ts'
import { InheritedPolicyBody, PolicyPath, policiesMax } from '../update-policies/schema.ts'

/** The stacks of a list of the API have the same limit. */
const stacksMax = 1000

/** Where a secret stands in the file: its value is never written there. */
export const SecretReference = z
  .strictObject({
    from: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be a name such as SHOP_PASSWORD')
      .describe('Name of a variable of the environment, or of a line of the file of secrets'),
  })
  .meta({
    id: 'SecretReference',
    description: 'Stands for a secret, which is never in the file',
    examples: [{ from: 'SHOP_PASSWORD' }],
  })

const secret = (what: string) => SecretReference.describe(`Where the client finds ${what}`)
const secretOrNone = (what: string) =>
  SecretReference.nullable()
    .default(null)
    .describe(`Where the client finds ${what}; \`null\`: none`)

export const EstateRegistry = z
  .strictObject({
    address: CreateRegistryBody.shape.address,
    username: CreateRegistryBody.shape.username,
    password: secret('the password or access token'),
  })
  .meta({ id: 'EstateRegistry' })

export const EstateRole = z
  .strictObject({
    name: CreateRoleBody.shape.name,
    permissions: CreateRoleBody.shape.permissions,
  })
  .meta({ id: 'EstateRole' })

const named = { name: ChannelName.describe('Name of the channel, unique among channels') }

export const EstateChannel = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        ...named,
        ...targets.webhook.shape,
        url: secret('the URL'),
        secret: secret('the key of the signature in `X-Signature-256`'),
      })
      .meta({ id: 'EstateWebhookChannel' }),
    z
      .strictObject({ ...named, ...targets.slack.shape, url: secret('the URL') })
      .meta({ id: 'EstateSlackChannel' }),
    z
      .strictObject({ ...named, ...targets.discord.shape, url: secret('the URL') })
      .meta({ id: 'EstateDiscordChannel' }),
    z
      .strictObject({ ...named, ...targets.teams.shape, url: secret('the URL') })
      .meta({ id: 'EstateTeamsChannel' }),
    z
      .strictObject({
        ...named,
        ...targets.ntfy.shape,
        topic: secret('the name of the topic'),
        token: secretOrNone('the access token'),
      })
      .meta({ id: 'EstateNtfyChannel' }),
    z
      .strictObject({
        ...named,
        ...targets.gotify.shape,
        token: secret('the token of the application'),
      })
      .meta({ id: 'EstateGotifyChannel' }),
    z
      .strictObject({ ...named, ...targets.telegram.shape, token: secret('the token of the bot') })
      .meta({ id: 'EstateTelegramChannel' }),
    z
      .strictObject({
        ...named,
        ...targets.pushover.shape,
        token: secret('the API token of the application'),
        user: secret('the key of the user or group'),
      })
      .meta({ id: 'EstatePushoverChannel' }),
    z
      .strictObject({ ...named, ...targets.matrix.shape, token: secret('the access token') })
      .meta({ id: 'EstateMatrixChannel' }),
    z
      .strictObject({
        ...named,
        ...targets.apprise.shape,
        key: secretOrNone('the key of the configuration'),
        urls: secretOrNone('the Apprise URLs'),
      })
      .refine(hasOnePlace, onePlace)
      .meta({ id: 'EstateAppriseChannel' }),
    z
      .strictObject({
        ...named,
        ...targets.smtp.shape,
        password: secretOrNone('the password of the account'),
      })
      .meta({ id: 'EstateSmtpChannel' }),
  ])
  .meta({ id: 'EstateChannel' })

export const EstateSource = z
  .strictObject({
    ...CreateSourceBody.shape,
    password: secret('the password or access token').optional(),
    private_key: secret(
      'a private key. For git over ssh: without it, the service makes one',
    ).optional(),
    age_identity: secret(
      'an identity of age that decrypts files. Without it, the service makes one',
    ).optional(),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    path: ['password'],
    message: 'must be given together with `username`',
  })
  .meta({ id: 'EstateSource' })

const given = ({ content, base64, link }: Readonly<Record<string, unknown>>) =>
  [content, base64, link].filter((one) => one !== undefined).length === 1

export const EstateFile = z
  .strictObject({
    ...FileBody.shape,
    content: z
      .union([FileBody.shape.content.unwrap(), SecretReference])
      .optional()
      .describe('The content of a text file, at most 2 MiB in UTF-8, or where the client finds it'),
  })
  .refine(given, 'must have one of content, base64 and link')
  .refine(
    ({ link, mode }) => link === undefined || mode === undefined,
    'must have no mode with a link',
  )
  .meta({ id: 'EstateFile' })

const binding = StackSourceBody.shape

export const EstateStackSource = z
  .strictObject({
    source: binding.source,
    path: binding.path,
    also: binding.also,
    on_change: binding.on_change,
    overwrite: binding.overwrite,
  })
  .meta({ id: 'EstateStackSource' })

const policy = UpdatePolicyBody.shape

export const EstateStackPolicy = z
  .strictObject({
    mode: policy.mode,
    window: policy.window,
    minimum_age_hours: policy.minimum_age_hours,
    watch_minutes: policy.watch_minutes,
    except: policy.except,
    checkpoint: CreateJobBody.shape.name
      .nullable()
      .default(null)
      .describe('Name of the backup job that runs before each update; `null`: none'),
    after: policy.after,
  })
  .meta({ id: 'EstateStackPolicy' })

export const EstateStack = z
  .strictObject({
    name: NewStack.shape.name,
    host: NewStack.shape.host,
    compose: NewStack.shape.compose
      .optional()
      .describe('Text of `compose.yaml`, at most 1 MiB. Not with `source`, which has it'),
    env: secret('the text of `.env`').optional(),
    overlays: NewStack.shape.overlays,
    files: z
      .record(z.string(), EstateFile)
      .optional()
      .describe(
        'Other files by their path in the directory of the stack; those that are not listed stay as they are. With `source`, those that are kept beside its files',
      ),
    source: EstateStackSource.optional().describe('The source that the stack follows'),
    update_policy: EstateStackPolicy.optional().describe(
      'What happens with newer images; without it, the policy stays as it is, unless an apply prunes the one that an earlier file declared',
    ),
  })
  .refine(({ compose, source }) => (compose === undefined) !== (source === undefined), {
    path: ['compose'],
    message: 'must be given, or `source` instead of it',
  })
  .refine(({ overlays, source }) => overlays === undefined || source === undefined, {
    path: ['overlays'],
    message: 'must not be given with `source`, which has them',
  })
  .meta({ id: 'EstateStack' })

const inherited = InheritedPolicyBody.shape

export const EstateUpdatePolicy = z
  .strictObject({
    of: PolicyPath.shape.name,
    mode: inherited.mode,
    window: inherited.window,
    minimum_age_hours: inherited.minimum_age_hours,
    watch_minutes: inherited.watch_minutes,
  })
  .meta({ id: 'EstateUpdatePolicy' })

const [localTarget, s3Target, sftpTarget] = TargetBody.options

export const EstateBackupTarget = z
  .discriminatedUnion('kind', [
    localTarget,
    z
      .strictObject({
        ...s3Target.shape,
        secret_access_key: secret('the secret of the access key'),
      })
      .meta({ id: 'EstateS3Target' }),
    z
      .strictObject({
        ...sftpTarget.shape,
        password: secret('the password of the account').optional(),
        private_key: secret('the private key').optional(),
        passphrase: secret('the passphrase of `private_key`').optional(),
      })
      .meta({ id: 'EstateSftpTarget' }),
  ])
  .meta({ id: 'EstateBackupTarget' })

export const EstateBackupJob = z
  .strictObject({
    ...CreateJobBody.shape,
    target: EstateBackupTarget.describe('Where backups are stored'),
  })
  .meta({ id: 'EstateBackupJob' })

const { muted_until: _, ...rule } = CreateAlertRuleBody.shape

export const EstateAlertRule = z
  .strictObject({
    ...rule,
    channels: z.array(ChannelName).max(20).default([]).describe('Names of alert channels'),
  })
  .meta({ id: 'EstateAlertRule' })

export const EstateName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )
  .describe('Name of the estate, which tells one file from another')

const sections = {
  registries: z
    .array(EstateRegistry)
    .max(registriesMax)
    .default([])
    .describe('Credentials of image registries'),
  roles: z.array(EstateRole).max(rolesMax).default([]).describe('Roles that are not built in'),
  channels: z.array(EstateChannel).max(channelsMax).default([]).describe('Alert channels'),
  sources: z.array(EstateSource).max(sourcesMax).default([]).describe('Sources of stacks'),
  stacks: z.array(EstateStack).max(stacksMax).default([]).describe('Stacks'),
  backup_jobs: z.array(EstateBackupJob).max(jobsMax).default([]).describe('Backup jobs'),
  update_policies: z
    .array(EstateUpdatePolicy)
    .max(policiesMax)
    .default([])
    .describe('Update policies that stacks inherit'),
  alert_rules: z.array(EstateAlertRule).max(rulesMax).default([]).describe('Alert rules'),
}

export const Estate = z
  .strictObject({
    version: z.literal(1).describe('Version of the form'),
    name: EstateName,
    ...sections,
  })
  .check(({ value, issues }) => {
    for (const section of estateSections) {
      const seen = new Set<string>()
      for (const [at, entry] of value[section].entries()) {
        const name = nameOf(entry)
        const key = keyOf({ section, name })
        const message = `must not be in the file twice: ${name}`
        const path = [section, at]
        if (seen.has(key)) issues.push({ code: 'custom', input: name, path, message })
        seen.add(key)
      }
    }
  })
  .meta({
    id: 'Estate',
    description: 'Everything that a service manages, in one file. What it does not say stays',
    examples: [
      {
        version: 1,
        name: 'home',
        channels: [{ name: 'Phone', kind: 'ntfy', topic: { from: 'CHANNEL_PHONE_TOPIC' } }],
        stacks: [{ name: 'shop', compose: 'services:\n  web:\n    image: nginx:1.29\n' }],
      },
    ],
  })

/** Returns the name of an entry in its section. */
export function nameOf(entry: { name: string } | { address: string } | { of: string }): string {
  if ('name' in entry) return entry.name
  return 'of' in entry ? entry.of : entry.address
}

export type EstateForm = z.output<typeof Estate>
