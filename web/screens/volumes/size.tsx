import { type OfHosts, splitHosts } from '../../data/host-lists.ts'
import { type SizeOf, totalOf, type VolumeRef } from '../../data/total-size.ts'
import type { useVolumeSizes } from '../../data/volume-sizes.ts'
import { Unreachable } from '../../frame/host-filter.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'

/** How much data a volume holds: nothing before that arrives, a word if nothing can tell. */
export function Size({ of: bytes }: { of: ReturnType<SizeOf> }) {
  if (bytes === undefined) return null
  return bytes === null ? (
    <span class="quiet-text">{t.volumes.unknownSize}</span>
  ) : (
    <Bytes of={bytes} />
  )
}

interface MissingSizesProps {
  of: ReturnType<typeof useVolumeSizes>
  /** The volumes, whose list names the hosts that do not respond. */
  volumes: OfHosts<unknown> | undefined
}

/** Why sizes are missing: the request failed, or hosts did not answer in time. */
export function MissingSizes({ of, volumes = [] }: MissingSizesProps) {
  const { problem, missing, reload } = of
  if (problem)
    return <Problem title={t.volumes.sizesFailed} {...problem} onRetry={() => void reload()} />
  const named = splitHosts(volumes).unreachable.map(({ host_id }) => host_id)
  const others = missing.filter(({ host_id }) => !named.includes(host_id))
  return <Unreachable of={others} missing={t.volumes.sizesMissing} />
}

/** Returns how much data volumes hold, in words. */
export function sizeText(volumes: readonly VolumeRef[], sizeOf: SizeOf): string {
  const { bytes, unknown } = totalOf(volumes, sizeOf)
  if (unknown === 0) return t.volumes.holds(formatBytes(bytes))
  if (unknown === volumes.length) return t.volumes.holdsUnknown
  return t.volumes.holdsMore(formatBytes(bytes), unknown)
}
