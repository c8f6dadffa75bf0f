import { serviceTime } from '../../data/clock.ts'
import { isLookDue, lookTimes, type Update } from '../../data/newer-images.ts'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** When registries answered last, and when they are asked next. */
export function LookTimes({ of }: { of: readonly Update[] }) {
  const { last } = lookTimes(of)
  return (
    <>
      {t.updates.looked}: {last === null ? t.stacks.never : <Time at={last} />}
      {' · '}
      <Next of={of} />
    </>
  )
}

function Next({ of }: { of: readonly Update[] }) {
  const { next } = lookTimes(of)
  if (next === null) return <>{t.updates.noLook}</>
  if (isLookDue(of, serviceTime())) return <>{t.updates.asking}</>
  return (
    <>
      {t.updates.next}: <Time at={next} mayBeAhead />
    </>
  )
}
