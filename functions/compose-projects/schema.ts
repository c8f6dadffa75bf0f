import { z } from 'zod'

export const ComposeProject = z
  .object({
    name: z.string().describe('Name of the project'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
    working_dir: z.string().meta({ description: 'The project directory on its host' }),
    config_files: z
      .array(z.string())
      .meta({ description: 'In the order in which they are merged' }),
    services: z
      .array(
        z.object({
          name: z.string().describe('Name of the service'),
          container_id: z.string().describe('Id of the container'),
          image: z.string().describe('Name of the image that the container was created from'),
          state: z
            .string()
            .describe('State of the container as the Engine reports it, such as `running`'),
        }),
      )
      .describe('The containers of its services'),
    managed: z.boolean().meta({ description: 'Whether it is already a stack' }),
    refusal: z.string().nullable().meta({
      description:
        'Why you cannot adopt it from the directory in its labels; null if you can. Starting an adoption also checks what its containers can access.',
    }),
  })
  .meta({
    id: 'ComposeProject',
    examples: [
      {
        name: 'shop',
        host_id: 'local',
        host_name: 'local',
        working_dir: '/srv/shop',
        config_files: ['/srv/shop/compose.yaml'],
        services: [
          { name: 'web', container_id: '4f6d1b0c9a2e', image: 'nginx:1.29', state: 'running' },
        ],
        managed: false,
        refusal: null,
      },
    ],
  })
