export { nearest } from '../functions/compose/nearest.ts'
