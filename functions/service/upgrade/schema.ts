import { z } from 'zod'
import { Instant } from '../../core/access/fields.ts'
import { upgradeOutcomes } from '../../core/records/upgrade-journal.ts'
import { findingKinds, findingReasons, upgradeResults } from '../../core/upgrade/judge-upgrade.ts'
import { runningKinds } from '../../core/upgrade/running-work.ts'
import { version } from '../../core/version.ts'
import { ImageName } from '../../kit/params.ts'

const ServiceContainer = z
  .object({
    id: z.string().describe('Id of the container'),
    name: z.string().describe('Name of the container'),
    image: z.string().describe('The image that it was created with, as it was named then'),
    image_id: z.string().describe('Id of that image'),
    host_id: z.string().describe('Id of its host'),
    data_volume: z
      .string()
      .nullable()
      .describe(
        'Volume of the data directory; `null` if it is a directory of the host, or nothing',
      ),
    compose_project: z
      .string()
      .nullable()
      .describe('Its compose project; `null` if it was started without docker compose'),
    compose_directory: z
      .string()
      .nullable()
      .describe('Directory of its compose file on the host; `null` if it has none'),
  })
  .meta({ id: 'ServiceContainer' })

/** The most entries of `running` in a response. */
export const runningMax = 1000

const ServicePause = z
  .object({
    operation_id: z.string().describe('Id of its operation: cancel that to end the pause'),
    by: z.string().describe('Name of the user who started it'),
    started_at: Instant.describe('When it started'),
  })
  .meta({ id: 'ServicePause' })

const RunningWork = z
  .object({
    kind: z.enum(runningKinds).describe('What runs'),
    id: z.string().describe('Id of the deployment or the run'),
    name: z
      .string()
      .describe('Name of the stack or the backup job; of a restore that begins, of its host'),
    host_id: z.string().describe('Id of its host'),
  })
  .meta({ id: 'RunningWork' })

const LastUpgrade = z
  .object({
    from_version: z
      .string()
      .nullable()
      .describe('The version that was replaced; `null` if unknown'),
    to_version: z
      .string()
      .nullable()
      .describe('The new version; `null` if its image does not say it'),
    image: z.string().describe('The new image'),
    outcome: z
      .enum(upgradeOutcomes)
      .describe(
        '`open`: it goes on. `taken_back`: the old container runs again. `not_started`: nothing was replaced. `stuck`: it could neither be finished nor taken back.',
      ),
    error: z.string().nullable().describe('Why it did not succeed; otherwise `null`'),
    log: z
      .array(z.string())
      .max(50)
      .describe('The last lines of the log of the new container, if it was taken back'),
    started_at: Instant.describe('When the container was to be replaced'),
    ended_at: Instant.nullable().describe('When it ended; `null` while it goes on'),
    kept_until: Instant.nullable().describe(
      'Until when the replaced container is kept, stopped; `null` if none was replaced',
    ),
  })
  .meta({ id: 'LastUpgrade' })

export const ServiceUpgrade = z
  .object({
    version: z.string().describe('Version of the service that runs'),
    installed: z
      .enum(['container', 'elsewhere', 'unknown'])
      .describe(
        '`elsewhere`: as a package or from a clone. `unknown`: in a container that the service cannot find on the host `local`.',
      ),
    container: ServiceContainer.nullable().describe('`null` unless `installed` is `container`'),
    guide: z.string().describe('Page of the documentation with the commands of an upgrade'),
    pause: ServicePause.nullable().describe(
      'While it lasts, no deployment, backup or restore begins; otherwise `null`',
    ),
    running: z
      .array(RunningWork)
      .max(runningMax)
      .describe(
        'What an upgrade now would interrupt. While the service is paused, nothing is missing.',
      ),
    last: LastUpgrade.nullable().describe(
      'The last `POST /service/upgrade` that came to replacing the container, if the process that responds has its data directory; otherwise `null`',
    ),
  })
  .meta({
    id: 'ServiceUpgrade',
    examples: [
      {
        version,
        installed: 'container',
        container: {
          id: '4f1c'.repeat(16),
          name: 'container-stacks-service-1',
          image: 'container-stacks:latest',
          image_id: `sha256:${'9a2b'.repeat(16)}`,
          host_id: 'local',
          data_volume: 'container-stacks_data',
          compose_project: 'container-stacks',
          compose_directory: '/srv/container-stacks',
        },
        guide: 'docs/install-container.md#upgrade',
        pause: {
          operation_id: '01978f00-0000-7000-8000-000000000003',
          by: 'ada',
          started_at: '2026-06-02T01:30:00.000Z',
        },
        running: [
          {
            kind: 'backup',
            id: '01978f00-0000-7000-8000-000000000004',
            name: 'nightly',
            host_id: 'local',
          },
        ],
        last: null,
      },
    ],
  })

const target = {
  image: ImageName.optional().describe(
    'The new image, which must be on the host of the service; defaults to the name that its container was created with',
  ),
  version: z
    .string()
    .regex(
      /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,64})?$/,
      'must be a version, such as 0.5.0',
    )
    .optional()
    .describe('Instead of `image`: the running image with this version as its tag'),
}

const namesOne = ({ image, version: named }: { image?: unknown; version?: unknown }) =>
  image === undefined || named === undefined
const notBoth = { message: 'must have an image or a version, not both', path: ['version'] }

export const CheckUpgradeBody = z
  .strictObject(target)
  .refine(namesOne, notBoth)
  .meta({ id: 'CheckUpgradeBody', examples: [{ version: '0.5.0' }] })

export const UpgradeBody = z
  .strictObject({
    ...target,
    image_id: z
      .string()
      .regex(/^sha256:[0-9a-f]{1,64}$/, 'must be the id of an image, such as sha256:9a2b…')
      .describe('`image_id` of the check: if the name has another image by now, nothing is done'),
    backup_job: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Id of the backup job to run before; defaults to the job of the service that ran last',
      ),
    without_backup: z.boolean().optional().describe('Whether no backup is made before'),
  })
  .refine(namesOne, notBoth)
  .refine(({ backup_job, without_backup }) => !(backup_job && without_backup), {
    message: 'must not be true with backup_job',
    path: ['without_backup'],
  })
  .meta({
    id: 'UpgradeBody',
    examples: [{ version: '0.5.0', image_id: `sha256:${'9a2b'.repeat(16)}` }],
  })

const UpgradeFinding = z
  .object({
    kind: z
      .enum(findingKinds)
      .describe(
        '`refused`: do not upgrade. `one_way`: going back needs a copy of the store, or may need one. `note`: know it before.',
      ),
    reason: z.enum(findingReasons).describe('What was found, for programs'),
    message: z.string().describe('What was found, and what to do'),
  })
  .meta({ id: 'UpgradeFinding' })

export const UpgradeCheck = z
  .object({
    image: z.string().nullable().describe('The new image; `null` if only a version was judged'),
    image_id: z.string().nullable().describe('Id of that image'),
    version: z.string().nullable().describe('The new version; `null` if the image does not say it'),
    result: z
      .enum(upgradeResults)
      .describe('`refused` and `one_way`: by `findings`. `current`: the image runs already.'),
    findings: z
      .array(UpgradeFinding)
      .max(findingReasons.length)
      .describe('What speaks against the upgrade, or is to be known before it'),
  })
  .meta({
    id: 'UpgradeCheck',
    examples: [
      {
        image: 'container-stacks:0.6.0',
        image_id: `sha256:${'9a2b'.repeat(16)}`,
        version: '0.6.0',
        result: 'one_way',
        findings: [
          {
            kind: 'one_way',
            reason: 'converts_store',
            message:
              'the new version converts the store to format 3, and this one reads formats up to 2; going back then needs the copy in store-copies/, and loses what was saved since',
          },
        ],
      },
    ],
  })
