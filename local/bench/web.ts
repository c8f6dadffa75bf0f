import { webSizesBench } from './web-sizes.ts'
import { webTimesBench } from './web-times.ts'

/** Measures the bytes that the browser UI loads, and the time that it takes. */
export const webBench = async () => `${await webSizesBench()}\n\n${await webTimesBench()}`
