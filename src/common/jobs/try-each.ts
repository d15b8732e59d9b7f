/**
 * Does tasks one after the other. One that fails holds up none of the others; the next run of the job tries it again.
 *
 * @param signal begins no further one once it is aborted
 * @throws the failure of the first one that failed, when all others were tried
 */
export async function tryEach<Task>(
  tasks: Iterable<Task> | AsyncIterable<Task>,
  work: (task: Task) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for await (const task of tasks) {
    if (signal?.aborted) break;
    await work(task).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
