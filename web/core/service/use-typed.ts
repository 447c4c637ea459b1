import { useState } from 'react'

/** What is being typed in a field until it is applied; it follows where something else is applied meanwhile. */
export function useTyped(applied: string): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(applied)
  const [former, setFormer] = useState(applied)
  if (former !== applied) {
    setFormer(applied)
    setTyped(applied)
  }
  return [typed, setTyped]
}
