import type { Section } from './attribute.ts'

/** Attributes of a service's mounts. */
export const storage: Section = {
  title: 'Mounts, secrets and configs of a service',
  at: 'services.*',
  groups: [
    {
      attributes: ['volumes', 'volumes.*.type', 'volumes.*.source'],
      derived:
        'A directory of the host, a volume or an image in the container. The Engine resolves the path of a bind, including links, at every start',
      by: 'Engine',
      who: 'by value',
      values: 'binds inside the directory of the stack, volumes, tmpfs, images',
      allowed: [
        'volumes: ["./data:/data", "v:/v", /anonymous]',
        'volumes: [{type: bind, source: ./a, target: /a}, {type: image, source: busybox, target: /i}]',
      ],
      refused: [
        'volumes: ["/etc:/etc:ro"]',
        'volumes: ["../other:/x"]',
        'volumes: [{type: bind, source: /, target: /h}]',
        'volumes: [{type: npipe, source: p, target: /p}]',
        'volumes: [{type: cluster, source: v, target: /p}]',
        'volumes: [{type: image, source: "localhost:5000/a", target: /i}]',
      ],
    },
    {
      attributes: ['volumes.*.target', 'volumes.*.read_only', 'volumes.*.tmpfs.mode'],
      derived: 'Its path in the container, and its permissions',
      by: 'kernel',
      who: 'anyone',
      allowed: ['volumes: [{type: tmpfs, target: /t, read_only: true, tmpfs: {mode: 511}}]'],
    },
    {
      attributes: ['volumes.*.tmpfs.size'],
      derived:
        'Memory, by default at most half of the host’s; it counts towards the container’s limit',
      by: 'kernel',
      who: 'anyone',
      allowed: ['volumes: [{type: tmpfs, target: /t, tmpfs: {size: 1m}}]'],
    },
    {
      attributes: ['volumes.*.bind.propagation'],
      derived: 'With `shared`, mounts made in the container appear on the host',
      by: 'kernel',
      who: 'by value',
      values: '`private`, `rprivate`, `slave`, `rslave`',
      allowed: ['volumes: [{type: bind, source: ./a, target: /a, bind: {propagation: rslave}}]'],
      refused: [
        'volumes: [{type: bind, source: ./a, target: /a, bind: {propagation: rshared}}]',
        'volumes: [{type: bind, source: ./a, target: /a, bind: {propagation: shared}}]',
        'volumes: [{type: bind, source: ./a, target: /a, bind: {propagation: other}}]',
      ],
    },
    {
      attributes: [
        ...['volumes.*.bind.create_host_path', 'volumes.*.bind.recursive'],
        ...['volumes.*.bind.selinux', 'volumes.*.consistency'],
      ],
      derived:
        'The Engine creates missing directories and relabels bind-mounted files, as root, inside the directory of the stack',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'volumes: [{type: bind, source: ./a, target: /a, consistency: cached, bind: {create_host_path: true, recursive: disabled, selinux: z}}]',
      ],
    },
    {
      attributes: [
        'volumes.*.volume.nocopy',
        'volumes.*.volume.subpath',
        'volumes.*.image.subpath',
      ],
      derived:
        'The initial contents of a volume, and which part of it is mounted; the Engine does not follow links out of it',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'volumes: [{type: volume, source: v, target: /a, volume: {nocopy: true, subpath: a}}]',
        'volumes: [{type: image, source: busybox, target: /a, image: {subpath: bin}}]',
      ],
    },
    {
      attributes: ['volumes.*.volume.labels'],
      derived:
        'Labels of an anonymous volume; programs with access to the Engine’s socket read them',
      by: 'Engine',
      who: 'anyone',
      allowed: ['volumes: [{type: volume, target: /a, volume: {labels: {a: b}}}]'],
    },
    {
      attributes: ['tmpfs'],
      derived: 'Options of a tmpfs mount',
      by: 'kernel',
      who: 'by value',
      values: 'those that concern its own files: `size`, `mode`, `uid`, `exec`, `suid`, …',
      allowed: ['tmpfs: ["/run:rw,noexec,nosuid,size=64m,mode=1777,uid=1000", /t]'],
      refused: ['tmpfs: ["/run:rshared"]', 'tmpfs: ["/run:mpol=bind:0"]', 'tmpfs: "/run:remount"'],
    },
    {
      attributes: ['volume_driver'],
      derived: 'A program on the host that creates the volumes',
      by: 'Engine',
      who: 'by value',
      values: '`local`',
      allowed: ['volume_driver: local'],
      refused: ['volume_driver: local-persist'],
    },
    {
      attributes: ['volumes_from'],
      derived: 'All mounts of another container',
      by: 'Engine',
      who: 'by value',
      values: 'services of this file',
      allowed: ['volumes_from: [db]'],
      refused: ['volumes_from: ["container:other"]'],
    },
    {
      attributes: ['secrets', 'configs'].flatMap((kind) => [
        kind,
        ...['source', 'target', 'uid', 'gid', 'mode'].map((key) => `${kind}.*.${key}`),
      ]),
      derived:
        'Files in the container, copied before its first start or bind-mounted from the host',
      by: 'this service',
      who: 'anyone',
      allowed: [
        'secrets: [s], configs: [c]',
        'secrets: [{source: s, target: /s, uid: "1", gid: "1", mode: 0440}]',
        'configs: [{source: c, target: /c, uid: "1", gid: "1", mode: 0440}]',
      ],
    },
  ],
}
