/**
 * Keeps Node from telling that a part of it is experimental, as X25519 is on Node 20, with which backups are encrypted:
 * it is no news for those who run the program. All other warnings are told as before.
 */
export function hushExperiments(): void {
  const told = process.listeners('warning') as ((warning: Error) => void)[]
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const tell of told) tell(warning)
  })
}
