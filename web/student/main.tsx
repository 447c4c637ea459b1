import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { Notices } from '../core/service/notice.tsx'
import { queryClient } from '../core/service/use-call.ts'
import { router } from './router.tsx'
import { watchInstall } from './worker/register.ts'

watchInstall()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
    <Notices />
  </StrictMode>,
)
