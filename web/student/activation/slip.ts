/** What the QR code of a slip says. It stands in the fragment of the address, which browsers send to nobody. */
export function slipOf(hash: string): { schoolId: string; suiNumber: string; code: string } | undefined {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const [schoolId, suiNumber, code] = ['s', 'n', 'c'].map((name) => said.get(name) ?? '')
  return schoolId && suiNumber && code ? { schoolId, suiNumber, code } : undefined
}
