import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Returns whether the page is in a tab that is seen. */
export function usePageSeen(): boolean {
  const isSeen = useSignal(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => {
      isSeen.value = document.visibilityState === 'visible'
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isSeen])
  return isSeen.value
}
