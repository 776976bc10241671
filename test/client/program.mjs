/** What a consumer does with the client, in any runtime. Given the client and a base URL, reports what came of it. */
export async function tryClient(createClient, baseUrl) {
  const client = createClient({ baseUrl });
  const page = await client.listProperties({ country: 'IE', size: 100 });
  let count = 0;
  for await (const { id } of client.iterateProperties({ country: 'IE' })) if (id) count++;
  const { title } = await client.getProperty(page.data[0].id);
  const problem = await client.getProperty('nothing').catch((error) => `${error.name} ${error.code}`);
  return { total: page.meta.pagination.total_entries, count, title, problem };
}
