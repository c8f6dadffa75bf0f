import type { Section } from './attribute.ts'

/** Attributes of the process in a container and its user. */
export const container: Section = {
  title: 'The process of a container',
  at: 'services.*',
  groups: [
    {
      attributes: [
        'command',
        'entrypoint',
        'working_dir',
        'user',
        'group_add',
        'init',
        'read_only',
      ],
      derived:
        'The command and its ids. On bind-mounted files, which are in the directory of the stack, root in the container and any group id are the same as on the host',
      by: 'kernel',
      who: 'anyone',
      allowed: [
        'command: [id], entrypoint: [], working_dir: /, user: "0:0", group_add: [999], init: true, read_only: true',
      ],
    },
    {
      attributes: ['environment'],
      derived:
        'Variables of the command. Other programs with access to the Engine’s socket read them too (`VIRTUAL_HOST`), as does a default runtime other than runc: if NVIDIA’s is the default, any container can access the GPUs just by its image',
      by: 'Engine',
      who: 'anyone',
      allowed: ['environment: {A: b}'],
    },
    {
      attributes: ['tty', 'stdin_open', 'stop_signal'],
      derived: 'A terminal, an open standard input, and the stop signal',
      by: 'Engine',
      who: 'anyone',
      allowed: ['tty: true, stdin_open: true, stop_signal: SIGINT'],
    },
    {
      attributes: ['stop_grace_period'],
      derived:
        'How long a stop waits before it kills the container; the Engine waits as long when the host shuts down',
      by: 'Engine',
      who: 'by value',
      values: 'up to 1 hour',
      allowed: ['stop_grace_period: 10m'],
      refused: ['stop_grace_period: 61m', 'stop_grace_period: 9999h', 'stop_grace_period: -1s'],
    },
    {
      attributes: ['image'],
      derived:
        'The Engine contacts the registry in the name. The name can be that of an image built by another stack',
      by: 'registry',
      who: 'by value',
      values: 'registries with a public DNS name, with stored credentials, or in `registry.allow`',
      tests: ['functions/compose/policy/dials.test.ts › every place of a project is listed'],
      allowed: ['image: "ghcr.io/a/b:1"'],
      refused: [
        'image: localhost:5000/a',
        'image: 10.0.0.1/a',
        'image: "nas:5000/a"',
        'image: "[::1]:5000/a"',
      ],
    },
    {
      attributes: ['platform'],
      derived: 'An image for another architecture runs in the emulator registered on the host',
      by: 'kernel',
      who: 'anyone',
      allowed: ['platform: linux/arm64'],
    },
    {
      attributes: ['pull_policy'],
      derived: 'When the image is pulled',
      by: 'registry',
      who: 'anyone',
      allowed: ['pull_policy: always', 'pull_policy: daily'],
    },
    {
      attributes: ['pull_refresh_after'],
      derived: 'No effect without `pull_policy: refresh`, which is not supported',
      by: 'nothing',
      who: 'unsupported',
      refused: ['pull_policy: refresh, pull_refresh_after: 1h'],
    },
    {
      attributes: ['container_name'],
      derived:
        'A name on the Engine and in the networks of the service. The Engine refuses a name that is taken; a name that another stack needs prevents the deployment of that stack, which its plan then reports',
      by: 'Engine',
      who: 'anyone',
      allowed: ['container_name: shop'],
    },
    {
      attributes: ['hostname', 'domainname'],
      derived: 'Names in the container’s own UTS namespace',
      by: 'kernel',
      who: 'anyone',
      allowed: ['hostname: a, domainname: example.com'],
    },
  ],
}
