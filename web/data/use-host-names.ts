import { useMemo } from 'preact/hooks'
import { type NameOfHost, nameOfHostIn } from './host-names.ts'
import { useReadable } from './use-readable.ts'

/** Reads the names of hosts while the component is mounted. */
export function useHostNames(): NameOfHost {
  const { value, isSettled } = useReadable('hosts:read', '/hosts')
  return useMemo(() => nameOfHostIn(value, isSettled), [value, isSettled])
}
