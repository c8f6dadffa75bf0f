import { z } from 'zod'
import { versionChanges } from '../core/records/image-look.ts'
import { nextKinds } from '../core/updates/decide-update.ts'
import { updateStates } from '../core/updates/judge-update.ts'
import { StackName, Time } from '../kit/params.ts'

export const Update = z
  .object({
    stack: StackName.describe('Name of the stack'),
    service: z.string().describe('Name of the service'),
    image: z.string().describe('The image as the compose file names it'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
    state: z
      .enum(updateStates)
      .describe(
        '`newer`: the tag has another image than the service runs. `current`: it has the same, and every look since succeeded. `unknown`: the registry did not say. `not_checked`: no registry is asked. `reason` says why',
      ),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the state is `unknown` or `not_checked`; with `newer`, why the last look failed; otherwise null',
      ),
    running: z
      .array(z.string())
      .describe('Ids of the images that its containers were made from; several within an update'),
    newer: z
      .object({
        digest: z.string().describe('The digest that the tag has now, `sha256:…`'),
        seen_at: Time.describe('When this service first saw that digest'),
      })
      .nullable()
      .describe('The newer image; null unless the state is `newer`'),
    source_url: z
      .string()
      .nullable()
      .describe(
        'The page of the source of the image, with its release notes, by the labels of the image that runs; only HTTPS. Null if they name none, or there is nothing newer',
      ),
    newer_tags: z
      .array(
        z.object({
          tag: z.string().describe('The tag'),
          change: z
            .enum(versionChanges)
            .describe('Which number of the version is the first that differs'),
          lines: z
            .array(
              z.object({
                file: z.string().describe('The path of the file in the directory of the stack'),
                line: z.int().describe('The number of the line, from 1'),
                text: z.string().describe('The line with the newer tag, without its indentation'),
              }),
            )
            .max(5)
            .describe(
              'The lines of the compose files that name the image, as they are with this tag, in a request for one `stack`. Empty otherwise, and where a variable has the name',
            ),
        }),
      )
      .max(3)
      .describe(
        'Tags of newer versions in the same form, the newest for each kind of change: proposals for the compose file. They are never applied automatically',
      ),
    checked_at: Time.nullable().describe(
      'When the registry last said what the tag has; null if it never did',
    ),
    next_check_at: Time.nullable().describe(
      'When the registry is asked next; null if that is not planned',
    ),
    next: z
      .object({
        kind: z
          .enum(nextKinds)
          .describe(
            '`none`: nothing is newer, or that is not known. `by_hand`: the policy does not apply it, `reason` says why and what to do. `planned`: it is applied at `at`, if nothing changes. `due`: it is applied as soon as the other stacks of the host are done, and what `reason` names is over. `watched`: an update applied it, and the service watches its containers',
          ),
        at: Time.nullable().describe('When; null unless `kind` is `planned`'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Why it is by hand. With `due`, why it waits, such as for a stack that `after` of the policy names; otherwise null',
          ),
      })
      .describe('What happens next with the image, by the update policy of the stack'),
  })
  .meta({
    id: 'Update',
    description: 'A service of a stack, and whether its registry has a newer image',
    examples: [
      {
        stack: 'shop',
        service: 'web',
        image: 'nginx:1.29',
        host_id: 'local',
        host_name: 'local',
        state: 'newer',
        reason: null,
        running: ['sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e'],
        newer: {
          digest: 'sha256:5e1d2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
          seen_at: '2026-11-01T08:00:00.000Z',
        },
        source_url: 'https://github.com/nginx/docker-nginx',
        newer_tags: [
          {
            tag: '1.31',
            change: 'minor',
            lines: [{ file: 'compose.yaml', line: 3, text: 'image: nginx:1.31' }],
          },
        ],
        checked_at: '2026-11-01T14:00:00.000Z',
        next_check_at: '2026-11-01T20:10:00.000Z',
        next: { kind: 'planned', at: '2026-11-04T08:00:00.000Z', reason: null },
      },
    ],
  })
