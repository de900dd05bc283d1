// The baseline that the bus is measured against: a plain C publisher, zmq_proxy and a subscriber over tcp on loopback,
// 200-byte messages, nothing else done. Three threads with a ZeroMQ context each, as three processes would have.
//
// cc -O2 -o bus-baseline bus-baseline.c -lzmq -lpthread
// ./bus-baseline [messages] [runs]      prints one JSON object; medians of the runs
//
// "throughput" has messages of one frame that begins with the topic; "throughput_two_frames" has the topic in a frame of
// its own, as our messages have. Latency is measured at 10,000 messages per second, one frame. What begins with "curve_" is
// the same encrypted, with a fifth of the messages: everybody who knows the server's key comes in, and nobody looks who.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

enum { SIZE = 200, TOPICS = 100, RATE = 10000, LATENCY_MESSAGES = 30000 };

static char publish_address[64], subscribe_address[64];
static int frames, messages, is_encrypted;
static char server_public[41], server_secret[41], client_public[41], client_secret[41];
static int64_t *latencies;
static char topics[TOPICS][24];
static int topic_length;

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void check(int ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "bus-baseline: %s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(1);
}

static void *open_socket(void *context, int type) {
    void *socket = zmq_socket(context, type);
    check(socket != NULL, "zmq_socket");
    int zero = 0;
    // No limits: a baseline that drops messages would measure nothing.
    zmq_setsockopt(socket, ZMQ_SNDHWM, &zero, sizeof zero);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &zero, sizeof zero);
    zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
    if (!is_encrypted) return socket;
    if (type == ZMQ_XSUB || type == ZMQ_XPUB) {
        int one = 1;
        check(zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &one, sizeof one) == 0, "curve");
        check(zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, server_secret, 40) == 0, "curve");
    } else {
        check(zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server_public, 40) == 0, "curve");
        check(zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, client_public, 40) == 0, "curve");
        check(zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, client_secret, 40) == 0, "curve");
    }
    return socket;
}

static void *proxy(void *context) {
    void *in = open_socket(context, ZMQ_XSUB), *out = open_socket(context, ZMQ_XPUB);
    check(zmq_bind(in, "tcp://127.0.0.1:*") == 0, "bind");
    check(zmq_bind(out, "tcp://127.0.0.1:*") == 0, "bind");
    size_t size = sizeof publish_address;
    zmq_getsockopt(in, ZMQ_LAST_ENDPOINT, publish_address, &size);
    size = sizeof subscribe_address;
    zmq_getsockopt(out, ZMQ_LAST_ENDPOINT, subscribe_address, &size);
    void *ready = zmq_socket(context, ZMQ_PAIR);
    zmq_connect(ready, "inproc://ready");
    zmq_send(ready, "", 0, 0);
    zmq_proxy(in, out, NULL);
    zmq_close(ready);
    zmq_close(in);
    zmq_close(out);
    return NULL;
}

static void send_one(void *socket, int number, int64_t time) {
    const char *topic = topics[number < 0 ? 0 : number % TOPICS];
    if (frames == 2) {
        zmq_msg_t first;
        zmq_msg_init_size(&first, topic_length);
        memcpy(zmq_msg_data(&first), topic, topic_length);
        check(zmq_msg_send(&first, socket, ZMQ_SNDMORE) >= 0, "send");
    }
    zmq_msg_t body;
    zmq_msg_init_size(&body, SIZE);
    char *bytes = zmq_msg_data(&body);
    memset(bytes, 'x', SIZE);
    memcpy(bytes, topic, topic_length);
    memcpy(bytes + 64, &number, sizeof number);
    memcpy(bytes + 72, &time, sizeof time);
    check(zmq_msg_send(&body, socket, 0) >= 0, "send");
}

// The first messages tell when the subscription has reached everybody; they carry a negative number.
static volatile int is_warm;

static void *publish(void *paced) {
    void *context = zmq_ctx_new(), *socket = open_socket(context, ZMQ_PUB);
    check(zmq_connect(socket, publish_address) == 0, "connect");
    struct timespec pause = {0, 1000000};
    while (!is_warm) {
        send_one(socket, -1, 0);
        nanosleep(&pause, NULL);
    }
    int64_t due = now(CLOCK_MONOTONIC);
    for (int number = 0; number < messages; number++) {
        if (paced) {
            due += 1000000000 / RATE;
            struct timespec at = {due / 1000000000, due % 1000000000};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
        }
        send_one(socket, number, paced ? now(CLOCK_MONOTONIC) : 0);
    }
    while (is_warm) nanosleep(&pause, NULL);
    zmq_close(socket);
    zmq_ctx_term(context);
    return NULL;
}

// Receives everything and returns the seconds from the first message to the last.
static double subscribe(void) {
    void *context = zmq_ctx_new(), *socket = open_socket(context, ZMQ_SUB);
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "ticker.", 7);
    check(zmq_connect(socket, subscribe_address) == 0, "connect");
    int received = 0;
    int64_t started = 0;
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (received < messages) {
        zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
        zmq_poll(&item, 1, -1);
        while (received < messages && zmq_msg_recv(&message, socket, ZMQ_DONTWAIT) >= 0) {
            if (frames == 2) zmq_msg_recv(&message, socket, 0);
            const char *bytes = zmq_msg_data(&message);
            int number;
            memcpy(&number, bytes + 64, sizeof number);
            is_warm = 1;
            if (number < 0) continue;
            if (number == 0) started = now(CLOCK_MONOTONIC);
            if (latencies) {
                int64_t sent;
                memcpy(&sent, bytes + 72, sizeof sent);
                latencies[received] = now(CLOCK_MONOTONIC) - sent;
            }
            received++;
        }
    }
    double seconds = (now(CLOCK_MONOTONIC) - started) / 1e9;
    is_warm = 0;
    zmq_msg_close(&message);
    zmq_close(socket);
    zmq_ctx_term(context);
    return seconds;
}

static double run(int frame_count, int message_count, int paced) {
    frames = frame_count;
    messages = message_count;
    void *context = zmq_ctx_new(), *ready = zmq_socket(context, ZMQ_PAIR);
    check(zmq_bind(ready, "inproc://ready") == 0, "bind");
    pthread_t proxy_thread, publish_thread;
    pthread_create(&proxy_thread, NULL, proxy, context);
    char none;
    zmq_recv(ready, &none, 1, 0);
    pthread_create(&publish_thread, NULL, publish, paced ? &frames : NULL);
    double seconds = subscribe();
    pthread_join(publish_thread, NULL);
    zmq_close(ready);
    zmq_ctx_term(context);
    pthread_join(proxy_thread, NULL);
    return seconds;
}

static int by_value(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static int by_number(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static double throughput(int frame_count, int message_count, int runs) {
    double rates[64];
    for (int index = 0; index < runs; index++) rates[index] = message_count / run(frame_count, message_count, 0);
    return median(rates, runs);
}

static void measure(const char *prefix, int message_count, int runs) {
    double one = throughput(1, message_count, runs), two = throughput(2, message_count, runs);
    double p50[64], p99[64];
    latencies = malloc(LATENCY_MESSAGES * sizeof *latencies);
    for (int index = 0; index < runs; index++) {
        run(1, LATENCY_MESSAGES, 1);
        qsort(latencies, LATENCY_MESSAGES, sizeof *latencies, by_number);
        p50[index] = latencies[LATENCY_MESSAGES / 2] / 1e3;
        p99[index] = latencies[LATENCY_MESSAGES / 100 * 99] / 1e3;
    }
    free(latencies);
    latencies = NULL;
    printf(
        "\"%sthroughput\": %.0f, \"%sthroughput_two_frames\": %.0f, \"%sp50\": %.1f, \"%sp99\": %.1f", prefix, one,
        prefix, two, prefix, median(p50, runs), prefix, median(p99, runs));
}

int main(int count, char **arguments) {
    int message_count = count > 1 ? atoi(arguments[1]) : 1000000;
    int runs = count > 2 ? atoi(arguments[2]) : 5;
    if (message_count < 1 || runs < 1 || runs > 64) {
        fprintf(stderr, "usage: bus-baseline [messages, 1 or more] [runs, 1...64]\n");
        return 2;
    }
    for (int index = 0; index < TOPICS; index++)
        topic_length = snprintf(topics[index], sizeof topics[index], "ticker.bench.SYM%02d.", index);
    check(zmq_curve_keypair(server_public, server_secret) == 0, "curve");
    check(zmq_curve_keypair(client_public, client_secret) == 0, "curve");
    printf("{");
    measure("", message_count, runs);
    is_encrypted = 1;
    printf(", ");
    measure("curve_", message_count < 5 ? 1 : message_count / 5, runs);
    printf("}\n");
    return 0;
}
