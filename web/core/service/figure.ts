export { amountText, figure } from '../../../contract/core/figure.ts'

/** The size of a file: `34 KB`, `1.2 MB`. */
export const fileSizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
