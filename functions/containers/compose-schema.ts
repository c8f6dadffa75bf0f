import { z } from 'zod'
import { ContainerId } from '../kit/params.ts'

/** The most containers of a request. */
const containersMax = 100

/** The most warnings of a response. */
export const linesMax = 1000

export const ContainersToWrite = z
  .strictObject({
    names: z
      .array(ContainerId)
      .min(1)
      .max(containersMax)
      .describe('Ids or names of the containers, which are on the same host'),
  })
  .meta({ id: 'ContainersToWrite', examples: [{ names: ['web', 'db'] }] })

export const ComposeOfContainers = z
  .object({
    compose: z.string().describe('Text of `compose.yaml`'),
    env: z
      .string()
      .nullable()
      .describe('Text of `.env`, with values that look like secrets; `null` if there are none'),
    warnings: z
      .array(z.string())
      .max(linesMax)
      .describe('What the files do not say, each with the name of the container'),
  })
  .meta({
    id: 'ComposeOfContainers',
    examples: [
      {
        compose:
          'services:\n  web:\n    image: nginx:1.29\n    container_name: web\n    restart: unless-stopped\n    ports:\n      - 8080:80\n    network_mode: bridge\n',
        env: null,
        warnings: ['web: HostConfig.AutoRemove true: a compose file cannot say it'],
      },
    ],
  })
