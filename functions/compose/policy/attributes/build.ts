import type { Section } from './attribute.ts'

const within = (...keys: string[]) => keys.map((key) => `build.${key}`)

/** Attributes of image builds. */
export const build: Section = {
  title: 'Builds',
  at: 'services.*',
  groups: [
    {
      attributes: ['build', 'build.context', 'build.dockerfile'],
      derived:
        'Files of the host are sent to the builder. The Engine fetches a context that is a URL. What `RUN` accesses is not limited; other network access of a Dockerfile is checked when it is read',
      by: 'builder',
      who: 'by value',
      values: 'inside the directory of the stack; no URLs',
      tests: ['functions/compose/policy/dials.test.ts › every place of a project is listed'],
      allowed: ['build: ./src', 'build: {context: ., dockerfile: docker/Dockerfile}'],
      refused: [
        'build: https://example.com/r.git',
        'build: "git@example.com:r.git"',
        'build: ../src',
        'build: {context: /root}',
        'build: {context: ., dockerfile: ../../x/Dockerfile}',
      ],
    },
    {
      attributes: within('dockerfile_inline', 'target', 'no_cache', 'pull', 'platforms'),
      derived: 'What to build',
      by: 'builder',
      who: 'anyone',
      allowed: [
        'build: {context: ., dockerfile_inline: "FROM busybox", target: a, no_cache: true, pull: true, platforms: [linux/amd64]}',
      ],
    },
    {
      attributes: within('args'),
      derived:
        'Build variables, which end up in the image history. `BUILDKIT_SYNTAX` names an image that parses the Dockerfile',
      by: 'builder',
      who: 'by value',
      values: '`BUILDKIT_SYNTAX`: only docker/dockerfile; other variables: all values',
      allowed: ['build: {context: ., args: {A: b, BUILDKIT_SYNTAX: "docker/dockerfile:1"}}'],
      refused: [
        'build: {context: ., args: {BUILDKIT_SYNTAX: "localhost:5000/a"}}',
        'build: {context: ., args: {BUILDKIT_SYNTAX: "stranger/frontend"}}',
      ],
    },
    {
      attributes: within('extra_hosts', 'shm_size'),
      derived: 'Names and shared memory of the builder’s containers',
      by: 'builder',
      who: 'anyone',
      allowed: ['build: {context: ., extra_hosts: ["a=1.2.3.4"], shm_size: 1m}'],
    },
    {
      attributes: within('ulimits', 'ulimits.*.soft', 'ulimits.*.hard'),
      derived: 'Limits of the builder’s containers; see `ulimits`',
      by: 'kernel',
      who: 'by value',
      values: 'all but `rtprio` and `nice`',
      allowed: ['build: {context: ., ulimits: {nofile: {soft: 1, hard: 2}}}'],
      refused: ['build: {context: ., ulimits: {rtprio: {soft: 99, hard: 99}}}'],
    },
    {
      attributes: within('network'),
      derived: 'The network of the builder’s containers: the host’s, or one of another stack',
      by: 'builder',
      who: 'by value',
      values: '`default`, `none`, `bridge`',
      allowed: ['build: {context: ., network: none}'],
      refused: [
        'build: {context: ., network: host}',
        'build: {context: ., network: other_default}',
      ],
    },
    {
      attributes: within('labels'),
      derived: 'Labels of the image, which its containers inherit',
      by: 'builder',
      who: 'anyone',
      allowed: ['build: {context: ., labels: {a: b}}'],
    },
    {
      attributes: within('tags'),
      derived: 'Names of the image on the Engine, by which other stacks may use it',
      by: 'Engine',
      who: 'anyone',
      allowed: ['build: {context: ., tags: ["shop:1"]}'],
    },
    {
      attributes: within('cache_from'),
      derived: 'Layers of other images, or of a host directory',
      by: 'builder',
      who: 'by value',
      values: 'images',
      allowed: ['build: {context: ., cache_from: [busybox, "type=registry,ref=busybox"]}'],
      refused: [
        'build: {context: ., cache_from: ["type=local,src=/root"]}',
        'build: {context: ., cache_from: ["localhost:5000/a"]}',
      ],
    },
    {
      attributes: within('privileged', 'entitlements', 'ssh'),
      derived: 'Gives a build the privileges of the host, its network, or the SSH keys of root',
      by: 'builder',
      who: 'privileged',
      refused: [
        'build: {context: ., privileged: true}',
        'build: {context: ., entitlements: [network.host]}',
        'build: {context: ., ssh: [default]}',
      ],
    },
    {
      attributes: within(
        ...['secrets', 'secrets.*.source', 'secrets.*.target', 'secrets.*.uid', 'secrets.*.gid'],
        'secrets.*.mode',
      ),
      derived:
        'Secrets of the file that `RUN` may read by their id; which ones, the rows of `secrets` say. Owner and mode have no effect',
      by: 'builder',
      who: 'anyone',
      tests: [
        'adapters/docker/build/build-secrets.engine.test.ts › a Dockerfile gets no secret that the service does not list',
      ],
      allowed: [
        'build: {context: ., secrets: [{source: s, target: s, uid: "1", gid: "1", mode: 0440}]}',
      ],
    },
    {
      attributes: within(
        ...[
          'additional_contexts',
          'cache_to',
          'no_cache_filter',
          'provenance',
          'sbom',
          'isolation',
        ],
      ),
      derived: 'Files, addresses and programs of a builder with its own session',
      by: 'builder',
      who: 'unsupported',
      refused: [
        'build: {context: ., additional_contexts: {a: ./a}}',
        'build: {context: ., cache_to: [busybox]}',
        'build: {context: ., no_cache_filter: [a]}',
        'build: {context: ., provenance: true}',
        'build: {context: ., sbom: true}',
        'build: {context: ., isolation: hyperv}',
      ],
    },
  ],
}
