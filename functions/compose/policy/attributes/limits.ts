import type { Section } from './attribute.ts'

/** Attributes that limit a container's use of host resources. */
export const limits: Section = {
  title: 'Limits and kernel settings',
  at: 'services.*',
  groups: [
    {
      attributes: [
        ...['cpus', 'cpu_shares', 'cpu_quota', 'cpu_period', 'cpuset', 'mem_limit', 'pids_limit'],
        ...['mem_reservation', 'mem_swappiness', 'memswap_limit', 'blkio_config.weight'],
        ...['deploy.resources.limits.cpus', 'deploy.resources.limits.memory'],
        ...['deploy.resources.limits.pids', 'deploy.resources.reservations.memory'],
      ],
      derived:
        'Limits and weights of the container’s control group. Without them it can use all resources of the host, like any container',
      by: 'kernel',
      who: 'anyone',
      allowed: [
        'cpus: 0.5, cpu_shares: 512, cpuset: "0", mem_limit: 64m, pids_limit: -1',
        'cpu_quota: 5000, cpu_period: 10000, mem_reservation: 32m, mem_limit: 64m, mem_swappiness: 60, memswap_limit: -1',
        'blkio_config: {weight: 300}',
        'deploy: {resources: {limits: {cpus: "0.5", memory: 64m, pids: 9}, reservations: {memory: 32m}}}',
      ],
    },
    {
      attributes: [
        'deploy.resources.reservations.cpus',
        'deploy.resources.reservations.generic_resources.*.discrete_resource_spec.kind',
        'deploy.resources.reservations.generic_resources.*.discrete_resource_spec.value',
        'cpu_count',
        'cpu_percent',
      ],
      derived: 'No effect on Linux, or on an Engine outside a swarm',
      by: 'nothing',
      who: 'no effect',
      allowed: [
        'cpu_count: 1, cpu_percent: 50',
        'deploy: {resources: {reservations: {cpus: "0.1", generic_resources: [{discrete_resource_spec: {kind: g, value: 1}}]}}}',
      ],
    },
    {
      attributes: [
        ...['device_read_bps', 'device_read_iops', 'device_write_bps', 'device_write_iops'].flatMap(
          (key) => [`blkio_config.${key}.*.path`, `blkio_config.${key}.*.rate`],
        ),
        'blkio_config.weight_device.*.path',
        'blkio_config.weight_device.*.weight',
      ],
      derived:
        'The Engine checks the path as root; its error reveals whether the file exists. The limit applies only to the container',
      by: 'Engine',
      who: 'by value',
      values: 'paths below /dev',
      allowed: [throttled('/dev/sda')],
      refused: [throttled('/root/.ssh/id_ed25519'), throttled('/dev/../etc/shadow')],
    },
    {
      attributes: ['cpu_rt_period', 'cpu_rt_runtime'],
      derived: 'Processor time that no process of the host can reclaim',
      by: 'kernel',
      who: 'privileged',
      refused: ['cpu_rt_period: 1000000, cpu_rt_runtime: 950000'],
    },
    {
      attributes: ['ulimits', 'ulimits.*.soft', 'ulimits.*.hard'],
      derived:
        'Process limits; with `rtprio` and `nice` a process takes precedence over every process of the host',
      by: 'kernel',
      who: 'by value',
      values: 'all but `rtprio` and `nice`',
      allowed: ['ulimits: {nofile: {soft: 1024, hard: 65536}, memlock: -1, core: 0}'],
      refused: ['ulimits: {rtprio: {soft: 99, hard: 99}}', 'ulimits: {nice: {soft: 40, hard: 40}}'],
    },
    {
      attributes: ['oom_score_adj'],
      derived: 'Which process the kernel kills first when the host runs out of memory',
      by: 'kernel',
      who: 'by value',
      values: '0 to 1000: earlier than others, never later',
      allowed: ['oom_score_adj: 500'],
      refused: ['oom_score_adj: -1', 'oom_score_adj: -1000'],
    },
    {
      attributes: ['oom_kill_disable'],
      derived: 'At its limit the container hangs while holding kernel locks',
      by: 'kernel',
      who: 'privileged',
      refused: ['oom_kill_disable: true'],
    },
    {
      attributes: ['sysctls'],
      derived:
        'Kernel settings. Some that appear to be the container’s own belong to the host: `net.netfilter.nf_conntrack_max` (CVE-2021-38209)',
      by: 'kernel',
      who: 'by value',
      values:
        '`net.core.*`, `net.ipv4.*`, `net.ipv6.*`, `net.unix.*`, `net.mptcp.*`, `fs.mqueue.*` and those of System V IPC',
      allowed: [
        'sysctls: {net.core.somaxconn: 1024}',
        'sysctls: [net.ipv4.conf.all.src_valid_mark=1, kernel.shmmax=1, fs.mqueue.msg_max=9]',
      ],
      refused: [
        'sysctls: {net.netfilter.nf_conntrack_max: 1}',
        'sysctls: {net.nf_conntrack_max: 1}',
        'sysctls: {kernel.core_pattern: "|/x"}',
        'sysctls: {net/ipv4/../../kernel/core_pattern: x}',
        'sysctls: {net.ipv4./../../kernel.core_pattern: x}',
        'sysctls: {vm.max_map_count: 262144}',
      ],
    },
    {
      attributes: ['shm_size'],
      derived: 'Memory of the container’s /dev/shm; it counts towards the container’s limit',
      by: 'kernel',
      who: 'anyone',
      allowed: ['shm_size: 64m'],
    },
    {
      attributes: ['storage_opt'],
      derived: 'Options of the Engine’s storage driver. A `size` may exceed the Engine’s default',
      by: 'Engine',
      who: 'by value',
      values: '`size`',
      allowed: ['storage_opt: {size: 1G}'],
      refused: ['storage_opt: {other: x}'],
    },
  ],
}

function throttled(path: string): string {
  const one = (key: string, value: string) => `${key}: [{path: ${path}, ${value}}]`
  const kinds = ['device_read_bps', 'device_read_iops', 'device_write_bps', 'device_write_iops']
  const rates = kinds.map((key) => one(key, 'rate: 1000'))
  return `blkio_config: {${[...rates, one('weight_device', 'weight: 100')].join(', ')}}`
}
