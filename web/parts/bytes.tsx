import { formatBytes } from './format-bytes.ts'

/** A size, with the exact count of bytes on hover. */
export function Bytes({ of }: { of: number }) {
  return <span title={`${of.toLocaleString()} B`}>{formatBytes(of)}</span>
}
