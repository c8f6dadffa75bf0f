import { numberFormat } from './formats.ts'

/** Returns a percentage, with a digit after the point if it is small: "4.2 %", "87 %". */
export const formatPercent = (value: number): string =>
  `${numberFormat(value < 10 ? 1 : 0).format(value)} %`
