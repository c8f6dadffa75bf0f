import { formatBytes } from './format-bytes.ts'
import { numberFormat } from './formats.ts'

/** A size, with the exact count of bytes on hover. */
export function Bytes({ of }: { of: number }) {
  return <span title={`${numberFormat(0).format(of)} B`}>{formatBytes(of)}</span>
}
