/* map_flow.c: attention flow. A layer's map has a maximum flow for each pair of tokens; pairs are
 * independent, and each thread takes its own.
 *
 * Node (m,t) is token t before layer m, for m = 0 … M where M layers lie below the source. From
 * (m+1,u) a connection leads down to (m,t), with the capacity c[m][u][t] = ½(W̄ + I). Flow
 * through it may be sent back up. */
#include "headlight/base/memory.h"
#include "headlight/lens/map.h"
#include "headlight/tensor/thread_pool.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A connection with less capacity left than this is full: rounding errors must not make paths. A
 * flow is too small by at most this for each connection of a cut, of which a layer has at most T².
 */
#define FULL 1e-12

struct flow {
    const struct map_layer *made;
    size_t tokens, layers;  /* T M */
    const double *capacity; /* [M,T,T], from above, below */
    atomic_bool cancelled;
    atomic_size_t done; /* pairs */
    size_t unreported;  /* pairs of thread 0 not yet reported; this and `status` are its own */
    enum status status;
    unsigned char *rooms;
    size_t room_size;
};

/* What one thread works with. */
struct network {
    size_t tokens, layers, source, sink; /* T M; nodes are m·WIDTH + t */
    double *down, *up;                   /* [M,T,T] what can still flow, from above, below */
    uint32_t *distance;                  /* of a node to the sink, or FAR */
    uint32_t *next;                      /* of a node: its first neighbour still to try */
    uint32_t *queue;                     /* nodes */
    uint32_t *path;                      /* nodes from the source */
};

#define FAR   UINT32_MAX
#define WIDTH MAP_FLOW_TOKENS /* node numbers per layer, however few tokens there are */

static size_t node_count(size_t layers)
{
    return (layers + 1) * WIDTH;
}

static size_t room_size(size_t layers, size_t tokens)
{
    return 2 * layers * tokens * tokens * sizeof(double) +
           4 * node_count(layers) * sizeof(uint32_t);
}

static struct network network_in(unsigned char *room, size_t layers, size_t tokens)
{
    const size_t size = layers * tokens * tokens, nodes = node_count(layers);
    double *numbers = (double *)(void *)room;
    uint32_t *words = (uint32_t *)(void *)(numbers + 2 * size);
    return (struct network){.tokens = tokens,
                            .layers = layers,
                            .down = numbers,
                            .up = numbers + size,
                            .distance = words,
                            .next = words + nodes,
                            .queue = words + 2 * nodes,
                            .path = words + 3 * nodes};
}

/* ---- One maximum flow --------------------------------------------------------------------- */

/* The connection between node `above` and node `below` it, in `down` and `up`. */
static size_t connection(const struct network *network, size_t above, size_t below)
{
    const size_t T = network->tokens;
    return (below / WIDTH * T + above % WIDTH) * T + below % WIDTH;
}

/* The capacity left from a node to one a layer below or above it. */
static double *rest(const struct network *network, size_t from, size_t to)
{
    return from > to ? &network->down[connection(network, from, to)]
                     : &network->up[connection(network, to, from)];
}

/* A node has 2·T neighbours: n < T is a token of the layer below, the others are of the layer
 * above. False if there is no such layer. */
static bool find_neighbour(const struct network *network, size_t node, size_t n, size_t *neighbour)
{
    const size_t T = network->tokens, layer = node / WIDTH;
    *neighbour = n < T ? (layer - 1) * WIDTH + n : (layer + 1) * WIDTH + n - T;
    return n < T ? layer > 0 : layer < network->layers;
}

/* Finds the distance of each node to the sink. False if the source can't reach it. */
static bool flow_find_distances(struct network *network)
{
    const size_t T = network->tokens, nodes = node_count(network->layers);
    size_t end = 0, node;
    memset(network->distance, 0xFF, nodes * sizeof *network->distance); /* FAR */
    network->distance[network->sink] = 0;
    network->queue[end++] = (uint32_t)network->sink;
    for (size_t begin = 0; begin < end && network->distance[network->source] == FAR; begin++) {
        const size_t to = network->queue[begin];
        for (size_t n = 0; n < 2 * T; n++) {
            if (!find_neighbour(network, to, n, &node) || network->distance[node] != FAR ||
                !(*rest(network, node, to) > FULL))
                continue;
            network->distance[node] = network->distance[to] + 1;
            network->queue[end++] = (uint32_t)node;
        }
    }
    return network->distance[network->source] != FAR;
}

/* Sends as much as possible along a path of `length` connections. Returns the node at which the
 * first connection that is then full begins. */
static size_t flow_send(struct network *network, size_t length, double *flow)
{
    const uint32_t *path = network->path;
    double least = INFINITY;
    size_t first = length;
    for (size_t i = 0; i < length; i++)
        least = fmin(least, *rest(network, path[i], path[i + 1]));
    for (size_t i = length; i-- > 0;) {
        double *there = rest(network, path[i], path[i + 1]);
        *there -= least;
        *rest(network, path[i + 1], path[i]) += least;
        if (!(*there > FULL))
            first = i;
    }
    *flow += least;
    return first;
}

/* Extends a path by a node nearer to the sink. */
static bool step_nearer(struct network *network, size_t from, size_t *to)
{
    for (; network->next[from] < 2 * network->tokens; network->next[from]++)
        if (find_neighbour(network, from, network->next[from], to) &&
            network->distance[*to] != FAR &&
            network->distance[*to] + 1 == network->distance[from] &&
            *rest(network, from, *to) > FULL)
            return true;
    return false;
}

/* Sends flow along shortest paths until each has a full connection. */
static double send_all(struct network *network)
{
    double flow = 0;
    size_t length = 0, to;
    memset(network->next, 0, node_count(network->layers) * sizeof(uint32_t));
    network->path[0] = (uint32_t)network->source;
    for (;;) {
        if (network->path[length] == network->sink)
            length = flow_send(network, length, &flow);
        else if (step_nearer(network, network->path[length], &to))
            network->path[++length] = (uint32_t)to;
        else if (length > 0)
            network->next[network->path[--length]]++; /* a dead end */
        else
            return flow;
    }
}

/* Dinitz 1970, "Algorithm for solution of a problem of maximum flow in networks with power
 * estimation": each round makes the shortest path longer, so there are fewer rounds than nodes.
 * The connection that limits a path is left with exactly 0. */
static double maximum_flow(struct network *network, const double *capacity)
{
    const size_t size = network->layers * network->tokens * network->tokens;
    double flow = 0;
    memcpy(network->down, capacity, size * sizeof *network->down);
    memset(network->up, 0, size * sizeof *network->up);
    while (flow_find_distances(network))
        flow += send_all(network);
    return flow;
}

/* ---- All pairs ---------------------------------------------------------------------------- */

/* Only the caller's thread may call the watch, which it does after so many of its own pairs. */
#define PAIRS_AT_ONCE 8

static void flow_report(const struct pool_thread *thread, struct flow *flow)
{
    const struct map_layer *made = flow->made;
    const size_t pairs = flow->tokens * flow->tokens; /* of a layer */
    size_t done = made->layer * pairs + atomic_fetch_add(&flow->done, 1) + 1;
    if (thread->index > 0 || ++flow->unreported < PAIRS_AT_ONCE)
        return;
    flow->unreported = 0;
    flow->status = watch_step(made->watch, done, made->source->trace->layers * pairs, made->error);
    if (flow->status != STATUS_OK)
        atomic_store(&flow->cancelled, true);
}

/* Cancelling only stops further pairs: the one at work is finished. */
static void make_flows(const struct pool_thread *thread, void *context)
{
    struct flow *flow = context;
    const size_t T = flow->tokens, M = flow->layers;
    struct network network = network_in(flow->rooms + thread->index * flow->room_size, M, T);
    for (size_t i = pool_claim(thread); i < T * T; i = pool_claim(thread)) {
        if (atomic_load(&flow->cancelled))
            return;
        network.source = M * WIDTH + i / T;
        network.sink = i % T;
        flow->made->out[i] = (float)maximum_flow(&network, flow->capacity);
        flow_report(thread, flow);
    }
}

enum status map_make_flow(const struct map_layer *made)
{
    const struct trace *trace = made->source->trace;
    const size_t T = trace->tokens, M = made->layer + 1, size = M * T * T;
    const size_t threads = pool_size_for(size * T * T), room = room_size(M, T);
    double *capacity = memory_new(size, sizeof *capacity, threads * room, "flow", made->error);
    if (!capacity)
        return made->error->status;
    for (size_t row = 0; row < M * T; row++)
        map_connections(trace, row / T, row % T, capacity + row * T);
    struct flow flow = {.made = made,
                        .tokens = T,
                        .layers = M,
                        .capacity = capacity,
                        .rooms = (unsigned char *)(capacity + size),
                        .room_size = room};
    pool_run(threads, make_flows, &flow);
    free(capacity);
    return flow.status;
}
