export function bundling(): {
  bundle: true
  splitting: true
  format: 'esm'
  platform: 'node'
  target: string
  external: string[]
}
